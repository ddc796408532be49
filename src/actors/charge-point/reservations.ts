// The reservations of one charge point (OCPP 1.6, 5.13 and 5.2): which may be made, which a session uses, when one ends,
// and the cancellations that the charge point has not been told of yet. Operators' ReserveNow comes from the API.

import { emit } from '../../events/define-event.js'
import { reservationCreated, reservationEnded } from '../../events/reservation.js'
import { callOf, cancelReservation, reserveNow } from '../../ocpp16/index.js'
import type { ConnectorState } from '../../records/charge-point-state.js'
import { mostNamedConnectors } from '../../records/connector-count.js'
import { sameGroup } from '../../records/id-tag.js'
import {
  latestOfNumber,
  type Reservation,
  reservationSequence,
  reservationsTable,
  takesReservedPlace,
} from '../../records/reservation.js'
import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { wakeNoMore, wakeOnDate } from '../../runtime/actor/wake-ups.js'
import { type CommandEndedMessage, commandRouterAddress, type ExecuteMessage } from '../messages/command.js'
import { tellPartner } from './cancelled-for-partner.js'
import { limits } from './limits.js'
import { chargePointAddress } from './messages.js'
import { connectorCountOf } from './named-connectors.js'
import type { ReservationMessage, ReserveReply } from './reservation-messages.js'
import type { State } from './state.js'

const none: readonly Effect[] = []
/** Longer than a ReserveNow can take: what an asker that ended in between has held is free again then. */
const heldMs = 60_000
const cancelTimeoutMs = 10_000
const cancelAgainMs = 60_000

export function handleReservation(state: State, message: ReservationMessage, context: Context): readonly Effect[] {
  switch (message.type) {
    case 'reserve':
      return reserve(state, message.connectorId, context)
    case 'reserved':
      return made(state, message.reservation, context)
    case 'reservation-dropped':
      state.held.delete(message.number)
      return none
    case 'reservation-unanswered':
      return unanswered(state, message.reservation, message.by, context)
    case 'cancel-reservation':
      return cancel(state, message, context)
    case 'cancel-owed':
      return sendOwedCancels(state, context)
    default:
      message satisfies never
      return none
  }
}

/** Whoever had the charge point before sends it nothing any more. */
function isOwn({ row }: State, { organization_id }: Reservation): boolean {
  return organization_id === row.organization_id
}

/** Holds a place and a number for a reservation that the charge point is about to be asked for. */
function reserve(state: State, connectorId: number, context: Context): readonly Effect[] {
  const now = context.monotonic()
  for (const [number, { until }] of state.held) if (until <= now) state.held.delete(number)
  const taken = [
    ...[...state.held.values()].map((held) => held.connectorId),
    ...activeReservations(state, context).map((reservation) => reservation.connector_id),
  ]
  const outlets = connectorCountOf(state) ?? mostNamedConnectors
  const reply: ReserveReply =
    taken.includes(connectorId) || taken.length >= outlets
      ? { type: 'taken' }
      : { type: 'held', number: freeNumber(state, context) }
  if (reply.type === 'held') state.held.set(reply.number, { connectorId, until: now + heldMs })
  return context.replyTo === undefined ? none : [effect.reply(context.replyTo, reply)]
}

/**
 * Callers of raw commands choose numbers of their own: those that this charge point has, or is asked to have, are not given out, nor those
 * that it had lately, as far as a bounded look finds others.
 */
function freeNumber({ calls, row }: State, context: Context): number {
  const asked = [calls.outstanding?.call, ...calls.waiting, ...(calls.late?.values() ?? [])]
  const numbers = new Set(
    asked.map((call) => (call?.action === reserveNow.action ? call.payload.reservationId : undefined)),
  )
  let passedOver = 0
  const isTaken = (number: number): boolean => {
    if (numbers.has(number)) return true
    const known = latestOfNumber(context.read(), row, number)
    if (known === undefined) return false
    return (
      known.status === 'active' || known.cancel_owed_by !== undefined || ++passedOver <= limits.ownNumbersPassedOver
    )
  }
  let number = context.nextNumber(reservationSequence)
  while (isTaken(number)) number = context.nextNumber(reservationSequence)
  return number
}

/** The charge point has accepted it. A session that has used it already, before this came, is joined with it. */
export function made(state: State, given: Reservation, context: Context): readonly Effect[] {
  state.held.delete(given.ocpp_reservation_id)
  const effects: Effect[] = [reservationEvent(reservationCreated, given)]
  if (!isOwn(state, given)) {
    effects.push(...end(given, 'cancelled', { cancel_reason: 'charge_point_removed' }, context))
    return context.replyTo === undefined ? effects : [...effects, effect.reply(context.replyTo, null)]
  }
  const user = state.open.find((session) => session.reservation_id === given.ocpp_reservation_id)
  if (user === undefined) {
    effects.push(effect.put(reservationsTable, given), wakeOnDate(self(context), reasonOf(given), expiryOf(given)))
  } else effects.push(...end(given, 'used', { session_id: user.session_id }, context))
  if (context.replyTo !== undefined) effects.push(effect.reply(context.replyTo, null))
  return effects
}

/** Kept as cancelled, so that a charge point that has it after all does not hold the connector for nobody. */
function unanswered(state: State, reservation: Reservation, by: string, context: Context): readonly Effect[] {
  state.held.delete(reservation.ocpp_reservation_id)
  if (!isOwn(state, reservation)) return end(reservation, 'cancelled', { cancel_reason: 'unanswered' }, context)
  const cancelled = end(reservation, 'cancelled', { cancel_reason: 'unanswered', cancel_owed_by: by }, context)
  return state.connection === undefined ? cancelled : [...cancelled, sendCancel(state, reservation, by, context)]
}

/** A reservation that is over stays as it is: cancelling it again, or late, is no error. */
function cancel(
  state: State,
  { reservationId, by, reason = 'operator' }: Extract<ReservationMessage, { readonly type: 'cancel-reservation' }>,
  context: Context,
): readonly Effect[] {
  const reservation = context.read().get(reservationsTable, [reservationId])
  const answer = context.replyTo === undefined ? none : [effect.reply(context.replyTo, null)]
  if (reservation === undefined || reservation.status !== 'active') return answer
  if (expiryOf(reservation) <= context.now()) return [...end(reservation, 'expired', {}, context), ...answer]
  if (!isOwn(state, reservation))
    return [...end(reservation, 'cancelled', { cancel_reason: 'charge_point_removed' }, context), ...answer]
  const cancelled = end(reservation, 'cancelled', { cancel_reason: reason, cancel_owed_by: by }, context)
  const told = state.connection === undefined ? none : [sendCancel(state, reservation, by, context)]
  return [...cancelled, ...told, ...answer]
}

/** What was cancelled while the charge point was away, or could not hear, is told now; it forgets by itself what has expired. */
export function sendOwedCancels(state: State, context: Context): readonly Effect[] {
  if (state.connection === undefined || state.row.registration !== 'Accepted') return none
  const owed = context
    .read()
    .listBy(reservationsTable, 'byCancelOwed', [context.id], { limit: limits.activeReservations })
    .filter(({ organization_id }) => organization_id === state.row.organization_id)
  return owed.map((reservation) =>
    expiryOf(reservation) <= context.now()
      ? settleCancel(reservation)
      : sendCancel(state, reservation, reservation.cancel_owed_by ?? '', context),
  )
}

/** The charge point has answered a cancellation: Rejected means that it has no such reservation, which is as good. */
export function reservationCommandEnded(
  state: State,
  { commandId, reply }: CommandEndedMessage,
  context: Context,
): readonly Effect[] {
  const reservationId = state.cancelling.get(commandId)
  if (reservationId === undefined) return none
  state.cancelling.delete(commandId)
  const reservation = context.read().get(reservationsTable, [reservationId])
  if (reservation === undefined) return none
  const outcome = reply.type === 'recorded' ? reply.outcome : undefined
  if (outcome?.type === 'answered') return [settleCancel(reservation)]
  if (outcome?.type === 'call-error' && /^Not(Implemented|Supported)$/.test(outcome.code))
    return [settleCancel(reservation)]
  return [effect.schedule('cancel-owed', context.monotonic() + cancelAgainMs, { type: 'cancel-owed' })]
}

export function settleCancel({ cancel_owed_by, ...settled }: Reservation): Effect {
  return effect.put(reservationsTable, settled)
}

function sendCancel(state: State, reservation: Reservation, by: string, context: Context): Effect {
  const commandId = context.newId('cmd')
  state.cancelling.set(commandId, reservation.reservation_id)
  return cancelCommand(state, reservation.ocpp_reservation_id, by, commandId, context)
}

/** By way of the router, so that it is in the history like any other command. */
function cancelCommand(state: State, number: number, by: string, commandId: string, context: Context): Effect {
  const call = callOf(cancelReservation, { reservationId: number })
  const message: ExecuteMessage = {
    type: 'execute',
    commandId,
    chargePointId: context.id,
    command: call.action,
    parameters: call.payload,
    call,
    executedBy: by,
    timeoutMs: cancelTimeoutMs,
    notify: self(context),
  }
  return effect.send(commandRouterAddress(state.row.organization_id), message)
}

/** What one wake-up was for; a reservation that has been used or cancelled meanwhile has no end of its own any more. */
export function reservationDue(reason: string, context: Context): readonly Effect[] {
  const reservation = context.read().get(reservationsTable, [reason.slice(reasonPrefix.length)])
  if (reservation?.status !== 'active') return [wakeNoMore(self(context), reason)]
  return end(reservation, 'expired', {}, context)
}

/**
 * The reservation that a session uses, if any: the one that it names, also when its start is told late, or else one of its
 * connector, or of any, for its tag or for the group of it. Only a start that was accepted uses one up.
 */
export function useReservation(
  state: State,
  session: Session,
  active: readonly Reservation[],
  context: Context,
): { readonly session: Session; readonly effects: readonly Effect[] } {
  if (session.authorization !== 'Accepted') return { session, effects: none }
  const startedAt = Date.parse(session.started_at)
  const named =
    session.reservation_id !== undefined && session.reservation_id > 0
      ? latestOfNumber(context.read(), state.row, session.reservation_id)
      : undefined
  const usable = named?.status === 'active' || (named?.status === 'expired' && startedAt < expiryOf(named))
  const used = usable ? named : active.find((one) => isFor(one, session))
  if (used === undefined) return { session, effects: none }
  return {
    session: { ...session, reservation_id: used.ocpp_reservation_id },
    effects: end(used, 'used', { session_id: session.session_id }, context),
  }
}

/**
 * Whether a start would take the place that is reserved for somebody else. One that began before the reservation was made takes nothing from it.
 */
export function isReservedForAnother(
  state: State,
  start: Pick<Session, 'connector_id' | 'id_tag' | 'parent_id_tag'>,
  startedAt: number,
  active: readonly Reservation[],
): boolean {
  if (active.some((one) => isFor(one, start))) return false
  const others = active.filter(({ created_at }) => Date.parse(created_at) <= startedAt)
  const elsewhere = state.open.map(({ connector_id }) => connector_id).filter((one) => one !== start.connector_id)
  return takesReservedPlace(others, start.connector_id, elsewhere, connectorCountOf(state))
}

function isFor(reservation: Reservation, session: Pick<Session, 'connector_id' | 'id_tag' | 'parent_id_tag'>): boolean {
  const { connector_id } = reservation
  return (connector_id === 0 || connector_id === session.connector_id) && sameGroup(reservation, session)
}

/** A connector that is out of order ends its reservation (OCPP 1.6, 5.13); connector 0 is the charge point as a whole. */
export function endReservationsOf(state: State, connector: ConnectorState, context: Context): readonly Effect[] {
  if (connector.status !== 'Faulted' && connector.status !== 'Unavailable') return none
  const reason = connector.status === 'Faulted' ? 'connector_faulted' : 'connector_unavailable'
  return activeReservations(state, context)
    .filter(({ connector_id }) => connector.connector_id === 0 || connector_id === connector.connector_id)
    .flatMap((reservation) => end(reservation, 'cancelled', { cancel_reason: reason }, context))
}

/** Those of a connector of their own come before those of any. */
export function activeReservations(state: State, context: Context): readonly Reservation[] {
  const group = [state.row.organization_id, context.id, 'active']
  const query = { from: [context.now() + 1], limit: limits.activeReservations }
  const rows = context.read().listBy(reservationsTable, 'byChargePointStatus', group, query)
  return rows.length < 2 ? rows : rows.toSorted((one, other) => other.connector_id - one.connector_id)
}

export function end(
  reservation: Reservation,
  status: 'used' | 'expired' | 'cancelled',
  more: Partial<Reservation>,
  context: Context,
): readonly Effect[] {
  const ended: Reservation = { ...reservation, ...more, status, ended_at: new Date(context.now()).toISOString() }
  return [
    effect.put(reservationsTable, ended),
    wakeNoMore(self(context), reasonOf(reservation)),
    reservationEvent(reservationEnded[status], ended),
    ...(status === 'cancelled' ? tellPartner(ended, context) : []),
  ]
}

const reasonPrefix = 'reservation/'

function reasonOf(reservation: Reservation): string {
  return reasonPrefix + reservation.reservation_id
}

function expiryOf(reservation: Reservation): number {
  return Date.parse(reservation.expiry_date)
}

const self = (context: Context) => chargePointAddress(context.id)

function reservationEvent(event: typeof reservationCreated, reservation: Reservation): Effect {
  const { organization_id, cancel_owed_by, raw, roaming, ...data } = reservation
  return emit(event, { organizationId: organization_id, subject: data.charge_point_id }, data)
}
