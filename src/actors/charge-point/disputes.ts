// Disputes about what a session of the charge point cost: opened by a driver, decided by the operator. The actor that writes sessions
// writes them, so that of two answers at the same time the second meets the first; the charge point may be registered no more.

import { emit } from '../../events/define-event.js'
import * as events from '../../events/dispute.js'
import { withAgreedTotal } from '../../pricing/agreed-total.js'
import { Exact } from '../../pricing/money.js'
import { type Dispute, disputesTable, disputeTransitions, isDecided, lastDispute } from '../../records/dispute.js'
import { defaultNotificationPreferences, organizationsTable } from '../../records/organization.js'
import { type Session, sessionsTable } from '../../records/session.js'
import { type SessionCost, sessionCostsTable } from '../../records/session-cost.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { ErrorKind } from '../../runtime/errors.js'
import { notFound, validationError } from '../../runtime/errors.js'
import { mailWithinRoom } from '../mail/mail-room.js'
import type { DecideDisputeMessage, DisputeReply, OpenDisputeMessage } from './dispute-messages.js'
import { disputeDecided, disputeExists, sessionNotPriced } from './errors.js'
import { guestEnded } from './guests.js'
import { changedNow, costOf, storeCost } from './session-cost.js'
import { replaceSession, type State } from './state.js'
import { countLeftOut } from './statistics.js'

interface Outcome {
  readonly effects: readonly Effect[]
  readonly reply: DisputeReply
}

export function handleDispute(
  state: State,
  message: OpenDisputeMessage | DecideDisputeMessage,
  context: Context,
): readonly Effect[] {
  const { effects, reply } = message.type === 'open-dispute' ? open(message, context) : decide(state, message, context)
  return context.replyTo === undefined ? effects : [...effects, effect.reply(context.replyTo, reply)]
}

function refuse({ code }: ErrorKind, message: string, path?: string): Outcome {
  return { effects: [], reply: { type: 'refused', code, message, ...(path !== undefined && { path }) } }
}

/** A session of this charge point that has ended and has a cost. */
function billedSession(sessionId: string, context: Context): { session: Session; cost: SessionCost } | undefined {
  const session = context.read().get(sessionsTable, [sessionId])
  const cost = context.read().get(sessionCostsTable, [sessionId])
  if (session?.charge_point_id !== context.id || session.ended_at === undefined || cost === undefined) return undefined
  return { session, cost }
}

function open({ sessionId, reason, expectedCost, by }: OpenDisputeMessage, context: Context): Outcome {
  const billed = billedSession(sessionId, context)
  if (billed === undefined) return refuse(sessionNotPriced, 'the session has no cost to dispute')
  const { session, cost } = billed
  const last = lastDispute(context.read(), sessionId)
  if (last !== undefined && !isDecided(last))
    return refuse(disputeExists, 'the session already has a dispute that is not decided')
  const dispute: Dispute = {
    session_id: sessionId,
    ordinal: last === undefined ? 0 : last.ordinal + 1,
    dispute_id: context.newId('dsp'),
    organization_id: session.organization_id,
    reason,
    ...(expectedCost !== undefined && { expected_cost: expectedCost }),
    disputed_cost: cost.priced.total,
    currency: cost.priced.currency,
    status: 'open',
    created_at: new Date(context.now()).toISOString(),
    ...(by !== undefined && { opened_by: by }),
  }
  return {
    effects: [
      effect.put(disputesTable, dispute),
      emit(events.disputeOpened, about(session), dataOf(dispute, session, dispute.disputed_cost)),
      ...mail(dispute, session, cost, context),
    ],
    reply: { type: 'dispute', dispute, session },
  }
}

function decide(state: State, message: DecideDisputeMessage, context: Context): Outcome {
  const { sessionId, ordinal, status, note, amount, by } = message
  const before = context.read().get(disputesTable, [sessionId, ordinal])
  const billed = billedSession(sessionId, context)
  if (before === undefined || billed === undefined) return refuse(notFound, 'there is no such dispute')
  const changesStatus = status !== undefined && status !== before.status
  if (changesStatus && !disputeTransitions[before.status].includes(status))
    return refuse(disputeDecided, `the dispute is ${before.status} and cannot become ${status}`)
  if (amount !== undefined && status !== 'accepted')
    return refuse(validationError, 'is only allowed with the status accepted', '/amount')
  if (changesStatus && status === 'accepted' && amount === undefined)
    return refuse(validationError, 'is required to accept a dispute', '/amount')
  if (!changesStatus && amount !== undefined && amount !== before.accepted_amount)
    return refuse(disputeDecided, 'the dispute has already been accepted with another amount')
  const accepted = changesStatus ? amount : undefined
  const fault = accepted === undefined ? undefined : faultOf(accepted, billed.cost)
  if (fault !== undefined) return refuse(validationError, fault, '/amount')
  if (!changesStatus && (note === undefined || note === before.note))
    return { effects: [], reply: { type: 'dispute', dispute: before, session: billed.session } }
  const dispute: Dispute = {
    ...before,
    status: status ?? before.status,
    ...(note !== undefined && { note }),
    ...(accepted !== undefined && { accepted_amount: accepted }),
    updated_at: new Date(context.now()).toISOString(),
    updated_by: by,
  }
  const corrected = accepted === undefined ? undefined : correct(state, billed, dispute.dispute_id, accepted, context)
  const session = corrected?.session ?? billed.session
  return {
    effects: [
      effect.put(disputesTable, dispute),
      ...(corrected?.effects ?? []),
      emit(events.disputeUpdated, about(session), dataOf(dispute, session, session.cost ?? null)),
    ],
    reply: { type: 'dispute', dispute, session },
  }
}

/** An amount is one that could be paid: whole minor units, and not more than the session costs. */
function faultOf(amount: number, { priced }: SessionCost): string | undefined {
  const { minor_units: minorUnits } = priced.trace.rounding
  if (!new Exact(amount).times(10 ** minorUnits).isInteger())
    return `must have at most ${minorUnits} decimal places in ${priced.currency}`
  return amount > priced.total ? `must be at most ${priced.total}, which is what the session costs` : undefined
}

/** What a correction does after any close: session and cost change together, the receipt is revised, the next invoice has the difference. */
function correct(
  state: State,
  { session: before, cost }: { readonly session: Session; readonly cost: SessionCost },
  disputeId: string,
  total: number,
  context: Context,
): { readonly session: Session; readonly effects: readonly Effect[] } {
  const agreed = { dispute_id: disputeId, total }
  const priced = withAgreedTotal(cost.priced, agreed)
  const session = changedNow({ ...before, ...costOf(priced) }, context)
  const { priced_at: pricedAt, computed_at = pricedAt } = cost
  const row: SessionCost = { ...cost, agreed, priced, priced_at: new Date(context.now()).toISOString(), computed_at }
  return {
    session,
    effects: [replaceSession(state, session), ...storeCost(row, context), ...guestEnded(session, context)],
  }
}

function about(session: Session) {
  return { organizationId: session.organization_id, subject: session.charge_point_id }
}

function dataOf(dispute: Dispute, session: Session, cost: number | null) {
  return {
    dispute_id: dispute.dispute_id,
    session_id: dispute.session_id,
    charge_point_id: session.charge_point_id,
    id_tag: session.id_tag,
    status: dispute.status,
    reason: dispute.reason,
    expected_cost: dispute.expected_cost ?? null,
    disputed_cost: dispute.disputed_cost,
    accepted_amount: dispute.accepted_amount ?? null,
    cost,
    currency: dispute.currency,
    note: dispute.note ?? null,
    created_at: dispute.created_at,
  }
}

function mail(dispute: Dispute, session: Session, cost: SessionCost, context: Context): readonly Effect[] {
  const organization = context.read().get(organizationsTable, [session.organization_id])
  const { dispute_emails = true } = organization?.notification_preferences ?? defaultNotificationPreferences
  if (organization === undefined || !dispute_emails) return []
  const content = {
    type: 'dispute-opened',
    organizationName: organization.name,
    disputeId: dispute.dispute_id,
    sessionId: session.session_id,
    chargePointId: session.charge_point_id,
    reason: dispute.reason,
    cost: dispute.disputed_cost,
    ...(dispute.expected_cost !== undefined && { expectedCost: dispute.expected_cost }),
    currency: dispute.currency,
    minorUnits: cost.priced.trace.rounding.minor_units,
    startedAt: session.started_at,
    ...(organization.time_zone !== undefined && { timeZone: organization.time_zone }),
  } as const
  const to = organization.billing_email ?? organization.contact_email
  const sent = mailWithinRoom({ organizationId: organization.organization_id, to, content }, context)
  // The dispute is in the list, in its event and in the feed all the same.
  if (sent === undefined) countLeftOut('dispute_mail')
  return sent ?? []
}
