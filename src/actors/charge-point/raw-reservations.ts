// Reservations that a caller makes and cancels by raw OCPP commands, under numbers of its own: what the charge point answers decides,
// also when the answer comes late. Those of the API's reservations are handled in `reservations.ts`.

import {
  type CancelReservationRequest,
  cancelReservation,
  type ReserveNowRequest,
  readTimestamp,
  reserveNow,
} from '../../ocpp16/index.js'
import { latestOfNumber, type Reservation } from '../../records/reservation.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import type { CallMessage } from './messages.js'
import { end, made } from './reservations.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

/** Raw commands fit the schemas of their actions, which were checked before they were sent. */
export function noteRawReservation(
  state: State,
  call: CallMessage,
  answer: unknown,
  isLate: boolean,
  context: Context,
): readonly Effect[] {
  if (state.registration === undefined) return none
  if (call.action === reserveNow.action) return noteReserved(state, call, answer, isLate, context)
  if (call.action === cancelReservation.action) return noteCancelled(state, call, answer, context)
  return none
}

function noteReserved(
  state: State,
  call: CallMessage,
  answer: unknown,
  isLate: boolean,
  context: Context,
): readonly Effect[] {
  const asked = call.payload as ReserveNowRequest
  const { reservationId: number } = asked
  // Whoever asks for one of the API's own stores it, or has it cancelled where it was not answered in time.
  if (statusOf(answer) !== 'Accepted' || state.held.has(number)) return none
  const before = latestOfNumber(context.read(), state.row, number)
  if (isLate && before !== undefined && before.raw !== true) return none
  const reservation: Reservation = {
    reservation_id: context.newId('res'),
    ocpp_reservation_id: number,
    organization_id: state.row.organization_id,
    charge_point_id: context.id,
    connector_id: asked.connectorId,
    id_tag: asked.idTag,
    ...(asked.parentIdTag !== undefined && { parent_id_tag: asked.parentIdTag }),
    status: 'active',
    expiry_date: new Date(readTimestamp(asked.expiryDate) ?? context.now()).toISOString(),
    created_at: new Date(context.now()).toISOString(),
    raw: true,
  }
  // A number that the charge point knows already is replaced (OCPP 1.6, 5.13).
  const replaced = before?.status === 'active' ? end(before, 'cancelled', { cancel_reason: 'replaced' }, context) : none
  return [...replaced, ...made(state, reservation, context)]
}

/** Rejected means that the charge point has no such reservation, which is as good. */
function noteCancelled(state: State, call: CallMessage, answer: unknown, context: Context): readonly Effect[] {
  const status = statusOf(answer)
  if (status !== 'Accepted' && status !== 'Rejected') return none
  const { reservationId: number } = call.payload as CancelReservationRequest
  const reservation = latestOfNumber(context.read(), state.row, number)
  if (reservation?.status !== 'active') return none
  return end(reservation, 'cancelled', { cancel_reason: 'operator' }, context)
}

function statusOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined
}
