// A guest's session from the pre-authorisation to the capture. What it has decided is on disk before anybody is asked to act
// on it, and whatever is not finished is taken up again at a stored time: money is asked for once, and never forgotten.

import { guestSessionAuthorized, guestSessionStarted, guestSessionStopped } from '../../events/guest-session.js'
import { callOf, remoteStartTransaction } from '../../ocpp16/index.js'
import { type GuestEnd, type GuestSession, guestSessionsTable, guestStartsTable } from '../../records/guest-session.js'
import { type Session, sessionsTable } from '../../records/session.js'
import {
  type ActorDefinition,
  type Context,
  type Effect,
  effect,
  type ReplyAddress,
} from '../../runtime/actor/actor.js'
import { wakeNoMore } from '../../runtime/actor/wake-ups.js'
import type { CommandEndedMessage, CommandReply } from '../messages/command.js'
import { beginCommand, type RunningCommand } from './commands.js'
import { correct } from './correction.js'
import { endAlert, remoteStop, stopRefused, watchLimit } from './limit.js'
import { limits } from './limits.js'
import {
  type AuthorizeGuestMessage,
  type GuestReply,
  type GuestSessionMessage,
  guestSessionAddress,
  guestSessionKind,
  type PaymentAnsweredMessage,
  placeReservedReason,
} from './messages.js'
import type { PaymentRequest } from './payment.js'
import { pendingRefund } from './refunds.js'
import { expiresInMs, guestEvent, lookReason, save } from './save.js'
import { amountDue, requestPayment, resultOf, settlePayment } from './settlement.js'

export interface GuestState {
  row: GuestSession | undefined
  /** Who waits for the authorisation. */
  asker: ReplyAddress | undefined
  stopWaiters: ReplyAddress[]
  command: RunningCommand | undefined
  /** Monotonic ms since which the provider is at work. */
  payingSince: number | undefined
}

const none: readonly Effect[] = []
/** How long the guest has to plug in. */
const startWithinMs = 15 * 60_000
/** After this, a request to the provider that has not been answered is made again. */
const providerAnswersMs = 60_000
/** How long a stop waits for the charge point's StopTransaction and the capture. */
const stopAnswersMs = 15_000
/** How long an estimated end is left for the charge point to correct. */
const correctedWithinMs = 15 * 60_000

export const guestSession: ActorDefinition<GuestState, GuestSessionMessage> = {
  kind: guestSessionKind,
  load: (context) => ({
    row: context.read().get(guestSessionsTable, [context.id]),
    asker: undefined,
    stopWaiters: [],
    command: undefined,
    payingSince: undefined,
  }),
  idle: ({ asker, stopWaiters, command, payingSince }) =>
    asker === undefined && stopWaiters.length === 0 && command === undefined && payingSince === undefined,
  askers: ({ asker, stopWaiters }) => (asker === undefined ? stopWaiters : [asker, ...stopWaiters]),
  handle(state, message, context) {
    if (message.type === 'authorize') return authorize(state, message, context)
    const { row } = state
    // A wake-up that outlived its session would come again and again.
    if (row === undefined) return message.type === 'wake-up' ? [forget(message.reason, context)] : none
    switch (message.type) {
      case 'payment-answered':
        return paymentAnswered(state, row, message, context)
      case 'command-ended':
        return commandEnded(state, row, message, context)
      case 'command-late':
        return state.command?.id === message.commandId ? commandOver(state, row, undefined, context) : none
      case 'session-changed':
        return reconcile(state, row, false, context)
      case 'wake-up': {
        if (message.reason.startsWith(placeReservedReason)) return placeReserved(state, row, message.reason, context)
        const effects = reconcile(state, row, false, context)
        return message.reason === lookReason ? effects : [...effects, forget(message.reason, context)]
      }
      case 'stop':
        return stop(state, row, context)
      case 'waited-enough':
        return answerStop(state, row)
      default:
        message satisfies never
        return none
    }
  },
}

function authorize(state: GuestState, message: AuthorizeGuestMessage, context: Context): readonly Effect[] {
  if (state.row !== undefined) return none
  const now = context.now()
  const { currency, amountMinor, paymentMethod: method } = message
  const row: GuestSession = {
    ...message.session,
    guest_session_id: context.id,
    status: 'authorizing',
    offered: false,
    payment: { status: 'pending', currency, authorized_minor: amountMinor },
    created_at: new Date(now).toISOString(),
    since: context.steady(),
    expires_at: new Date(now + startWithinMs).toISOString(),
  }
  state.asker = context.replyTo
  const request = { operation: 'authorize' as const, key: context.id, method, amountMinor, currency }
  return [...save(state, row, context), requestPayment(state, row, request, context)]
}

/** While the charge point has not answered the start, it is told again later. */
function placeReserved(state: GuestState, row: GuestSession, reason: string, context: Context): readonly Effect[] {
  if (state.command?.purpose === 'start') return none
  const waits = row.status === 'authorizing' && join(row, context) === undefined
  return [...(waits ? end(state, row, 'reserved', context) : none), forget(reason, context)]
}

function forget(reason: string, context: Context): Effect {
  return wakeNoMore(guestSessionAddress(context.id), reason)
}

function paymentAnswered(
  state: GuestState,
  row: GuestSession,
  message: PaymentAnsweredMessage,
  context: Context,
): readonly Effect[] {
  const { outcome } = message
  state.payingSince = undefined
  if (message.operation !== 'authorize') {
    const settled = settlePayment(state, row, message, context)
    const current = state.row ?? row
    return [...settled, ...payOn(state, current, context), ...answerStop(state, current)]
  }
  // It was given up meanwhile: what was set aside after all is being released.
  if (row.payment.status !== 'pending') return none
  const result = resultOf(outcome)
  if (result === undefined)
    return [...end(state, row, 'provider_unavailable', context), ...reply(state, { type: 'provider-unavailable' })]
  if (result.type === 'refused') {
    const payment = { ...row.payment, status: 'declined' as const, error: result.reason }
    const ended = end(state, { ...row, payment }, 'declined', context)
    return [...ended, ...reply(state, { type: 'declined', reason: result.reason })]
  }
  const authorized: GuestSession = {
    ...row,
    payment: { ...row.payment, status: 'authorized', authorization: result.reference },
  }
  const call = callOf(remoteStartTransaction, { connectorId: row.connector_id, idTag: row.id_tag })
  return [...save(state, authorized, context), ...beginCommand(state, authorized, 'start', call, context)]
}

function commandEnded(
  state: GuestState,
  row: GuestSession,
  message: CommandEndedMessage,
  context: Context,
): readonly Effect[] {
  return state.command?.id === message.commandId ? commandOver(state, row, message.reply, context) : none
}

function commandOver(
  state: GuestState,
  row: GuestSession,
  answer: CommandReply | undefined,
  context: Context,
): readonly Effect[] {
  const purpose = state.command?.purpose
  state.command = undefined
  const cancel = effect.cancel('command')
  const accepted =
    answer?.type === 'recorded' && answer.outcome.type === 'answered' && answer.record.status === 'Accepted'
  if (purpose === 'stop') {
    if (accepted) return [cancel]
    const effects = reconcile(state, row, true, context)
    // The charge may have ended meanwhile, which is why it could not be stopped.
    const after = [...effects, ...stopRefused(state, state.row ?? row, context)]
    const still = state.row?.status === 'charging'
    return [cancel, ...after, ...(still ? replyAll(state, { type: 'not-accepted', reply: answer }) : none)]
  }
  // The charge point may have begun before its answer came, or although it never came.
  const current = join(row, context) ?? row
  if (accepted || current.status === 'charging') {
    const offered = { ...current, offered: true }
    const events = [
      guestEvent(guestSessionAuthorized, offered),
      ...(current.status === 'charging' ? [guestEvent(guestSessionStarted, offered)] : []),
    ]
    return [cancel, ...save(state, offered, context), ...events, ...reply(state, { type: 'guest', session: offered })]
  }
  return [cancel, ...end(state, row, 'not_accepted', context), ...reply(state, { type: 'not-accepted', reply: answer })]
}

/** The row with the charge that it has become, if its charge point has told of one. */
function join(row: GuestSession, context: Context): GuestSession | undefined {
  if (row.status !== 'authorizing') return undefined
  const view = context.read()
  const start = view.get(guestStartsTable, [context.id])
  const session = start === undefined ? undefined : view.get(sessionsTable, [start.session_id])
  if (session === undefined) return undefined
  const { session_id, transaction_id, started_at } = session
  const joined = { wall: context.now(), steady: context.steady() }
  return { ...row, status: 'charging', session_id, transaction_id, started_at, joined }
}

/** Looks at what is stored and goes on from there: it may be called at any time, any number of times. */
function reconcile(state: GuestState, row: GuestSession, final: boolean, context: Context): readonly Effect[] {
  if (row.status === 'stopped') {
    const corrected = correct(state, row, context)
    const current = state.row ?? row
    return [...corrected, ...payOn(state, current, context), ...stopLate(state, current, context)]
  }
  // The start has not been answered yet: its end looks at the charge as well.
  if (state.command?.purpose === 'start' || isPaying(state, context)) return none
  const joined = join(row, context)
  if (joined !== undefined) {
    const started = guestEvent(guestSessionStarted, joined)
    return [...save(state, joined, context), started, ...chargeEnded(state, joined, final, context)]
  }
  if (row.status === 'charging') return chargeEnded(state, row, final, context)
  if (!row.offered)
    return [...end(state, row, 'interrupted', context), ...reply(state, { type: 'provider-unavailable' })]
  if (expiresInMs(row, context.steady()) > 0) return save(state, row, context)
  return end(state, row, 'not_started', context)
}

/** An estimated end is the charge point's to correct for a while, unless somebody waits for the bill. */
function chargeEnded(state: GuestState, row: GuestSession, final: boolean, context: Context): readonly Effect[] {
  const session = context.read().get(sessionsTable, [row.session_id ?? ''])
  if (session === undefined) return end(state, row, 'interrupted', context)
  if (session.status === 'active') return watchLimit(state, row, session, context)
  if (session.status === 'estimated' && !final) {
    const since = row.estimated_since ?? estimatedSince(session, context)
    const waiting = row.estimated_since === undefined ? { ...row, estimated_since: since } : row
    if (context.steady() - since < correctedWithinMs) return save(state, waiting, context)
  }
  const due = amountDue(session, row)
  const charged: GuestSession = {
    ...row,
    energy_wh: session.energy_wh ?? 0,
    final_cost: due.cost,
    currency: due.currency,
    ended_at: session.ended_at ?? session.started_at,
  }
  return end(state, charged, 'charged', context)
}

/** The estimate may be known for a while already; one of a clock that was ahead is new. */
function estimatedSince({ ended_at, started_at }: Session, context: Context): number {
  const knownMs = Math.max(0, context.now() - Date.parse(ended_at ?? started_at))
  return context.steady() - knownMs
}

/** Ends it, and has the amount captured or released. */
function end(state: GuestState, row: GuestSession, reason: GuestEnd, context: Context): readonly Effect[] {
  const now = new Date(context.now()).toISOString()
  const due_at = new Date(context.steady()).toISOString()
  const cost = row.final_cost ?? 0
  const due = amountDue({ cost, currency: row.currency }, row).captureMinor
  const { payment } = row
  const open = payment.status === 'pending' || payment.status === 'authorized'
  const stopped: GuestSession = {
    ...row,
    status: 'stopped',
    end: reason,
    ended_at: row.ended_at ?? now,
    energy_wh: row.energy_wh ?? 0,
    final_cost: cost,
    currency: row.currency ?? payment.currency,
    payment: open
      ? {
          ...payment,
          status: due > 0 ? 'capture_pending' : 'release_pending',
          ...(due > 0 && { capture_minor: due }),
          due_since: due_at,
          next_attempt_at: due_at,
        }
      : payment,
  }
  return [
    ...save(state, stopped, context),
    guestEvent(guestSessionStopped, stopped),
    ...endAlert(row, context),
    ...payOn(state, stopped, context),
  ]
}

function isPaying({ payingSince }: GuestState, context: Context): boolean {
  return payingSince !== undefined && context.monotonic() - payingSince < providerAnswersMs
}

/** The next attempt, if one is due and none is under way. */
function payOn(state: GuestState, row: GuestSession, context: Context): readonly Effect[] {
  if (row.status !== 'stopped' || isPaying(state, context)) return none
  const next = nextRequest(row)
  if (next === undefined) return none
  if (next.at !== undefined && Date.parse(next.at) > context.steady()) return none
  return [requestPayment(state, row, next.request, context)]
}

/** What the provider is to be asked next, and not before when. */
function nextRequest(
  row: GuestSession,
): { readonly request: PaymentRequest; readonly at: string | undefined } | undefined {
  const { status, next_attempt_at: at, authorization = '', capture_minor, currency } = row.payment
  const key = row.guest_session_id
  if (status === 'capture_pending')
    return { request: { operation: 'capture', key, authorization, amountMinor: capture_minor ?? 0, currency }, at }
  if (status === 'release_pending') return { request: { operation: 'release', key }, at }
  const refund = pendingRefund(row)
  if (refund === undefined) return undefined
  const { amount_minor: amountMinor, next_attempt_at } = refund
  return {
    request: { operation: 'refund', key: refund.key, authorization, amountMinor, currency },
    at: next_attempt_at,
  }
}

/** A charge that began as it was being given up is not paid for: it is ended. */
function stopLate(state: GuestState, row: GuestSession, context: Context): readonly Effect[] {
  if (row.session_id !== undefined || state.command !== undefined) return none
  const joined = join({ ...row, status: 'authorizing' }, context)
  const session = context.read().get(sessionsTable, [joined?.session_id ?? ''])
  return joined === undefined || session?.status !== 'active' ? none : remoteStop(state, joined, context)
}

function stop(state: GuestState, row: GuestSession, context: Context): readonly Effect[] {
  const { replyTo } = context
  if (replyTo !== undefined) {
    if (state.stopWaiters.length >= limits.guestStopWaiters)
      return [effect.reply(replyTo, { type: 'guest', session: row } satisfies GuestReply)]
    state.stopWaiters.push(replyTo)
  }
  const wait = effect.schedule('stop', context.monotonic() + stopAnswersMs, { type: 'waited-enough' })
  const effects: Effect[] = [wait, ...reconcile(state, row, true, context)]
  const current = state.row ?? row
  if (current.status === 'authorizing') effects.push(...end(state, current, 'cancelled', context))
  else if (current.status === 'charging' && state.command === undefined)
    effects.push(...remoteStop(state, current, context))
  // What is being paid is answered when it is; the rest, at once.
  if (state.payingSince === undefined && state.row?.status === 'stopped') effects.push(...answerStop(state, state.row))
  return effects
}

function answerStop(state: GuestState, row: GuestSession): readonly Effect[] {
  return replyAll(state, { type: 'guest', session: row })
}

function replyAll(state: GuestState, body: GuestReply): readonly Effect[] {
  const waiters = state.stopWaiters
  if (waiters.length === 0) return none
  state.stopWaiters = []
  return [effect.cancel('stop'), ...waiters.map((waiter) => effect.reply(waiter, body))]
}

function reply(state: GuestState, body: GuestReply): readonly Effect[] {
  const { asker } = state
  state.asker = undefined
  return asker === undefined ? none : [effect.reply(asker, body)]
}
