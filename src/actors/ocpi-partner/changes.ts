// What an event of an organization means for partners: which session is another one since. Who its partner is, is looked up.

import { disputeUpdated } from '../../events/dispute.js'
import { reservationCreated, reservationEnded } from '../../events/reservation.js'
import { sessionCostUpdated, sessionEnded, sessionReconciled, sessionStarted } from '../../events/session.js'
import { type OutboxRow, timeOfEvent } from '../../runtime/actor/outbox.js'
import type { ReadView } from '../../runtime/store/store.js'
import type { PushSource } from './source.js'

export interface SessionChange {
  /** The event. */
  readonly id: string
  /** When it happened, wall ms. */
  readonly at: number
  readonly sessionId: string
  readonly partnerId: string
  /** It has ended, or ended otherwise than was said. */
  readonly isEnd: boolean
  /** It is a reservation, which partners see as a session: `sessionId` is of that. */
  readonly isReservation: boolean
}

const runningNames: ReadonlySet<string> = new Set([sessionStarted.name, sessionCostUpdated.name])
const endNames: ReadonlySet<string> = new Set([sessionEnded.name, sessionReconciled.name, disputeUpdated.name])

const reservationNames: ReadonlySet<string> = new Set(
  [reservationCreated, ...Object.values(reservationEnded)].map(({ name }) => name),
)

/** Undefined for an event that changes nothing which a partner is told. */
export function changeOf(
  event: OutboxRow,
  source: Pick<PushSource, 'ownerOf'>,
  view: ReadView,
): SessionChange | undefined {
  if (reservationNames.has(event.event)) return changeOfReservation(event, source, view)
  const isEnd = endNames.has(event.event)
  if (!isEnd && !runningNames.has(event.event)) return undefined
  const sessionId = event.data.session_id as string
  const partnerId = source.ownerOf(view, sessionId)
  return partnerId === undefined
    ? undefined
    : { id: event.id, at: timeOfEvent(event), sessionId, partnerId, isEnd, isReservation: false }
}

/** One that the charge point has never accepted was never told of. */
function changeOfReservation(
  event: OutboxRow,
  source: Pick<PushSource, 'ownerOf'>,
  view: ReadView,
): SessionChange | undefined {
  const { reservation_id: sessionId, cancel_reason: reason } = event.data as {
    readonly reservation_id: string
    readonly cancel_reason?: string
  }
  const partnerId = reason === 'unanswered' ? undefined : source.ownerOf(view, sessionId)
  if (partnerId === undefined) return undefined
  const isEnd = event.event !== reservationCreated.name
  return { id: event.id, at: timeOfEvent(event), sessionId, partnerId, isEnd, isReservation: true }
}
