// How a guest session is written: always together with the time at which it must be looked at again.

import { type Context, type Effect, effect } from '../../runtime/actor.js'
import { wakeAt, wakeNoMore } from '../../runtime/wake-ups.js'
import { emit } from '../events/define-event.js'
import type { guestSessionStarted } from '../events/guest-session.js'
import { type GuestSession, guestSessionsTable } from '../records/guest-session.js'
import { guestSessionAddress } from './messages.js'

const reason = 'look'
/** A start that nobody has answered in this time was interrupted. */
const startsWithinMs = 60_000
const lookAgainMs = 60_000

export function save(state: { row: GuestSession | undefined }, row: GuestSession, context: Context): readonly Effect[] {
  const self = guestSessionAddress(context.id)
  const at = nextLook(row, context.now())
  const look = at === undefined ? wakeNoMore(self, reason) : wakeAt(self, reason, at)
  // A look that found nothing new moves its own time only.
  if (state.row === row) return [look]
  state.row = row
  return [effect.put(guestSessionsTable, row), look]
}

/** Wall ms; undefined when there is nothing left to do. */
function nextLook(row: GuestSession, now: number): number | undefined {
  if (row.status === 'charging') return now + lookAgainMs
  if (row.status === 'authorizing')
    return row.offered
      ? Math.min(Date.parse(row.expires_at), now + lookAgainMs)
      : Date.parse(row.created_at) + startsWithinMs
  const { status, next_attempt_at } = row.payment
  if (status !== 'capture_pending' && status !== 'release_pending') return undefined
  return next_attempt_at === undefined ? now : Date.parse(next_attempt_at)
}

/** Without the tag and the token: whoever reads events may not charge with them. */
export function guestEvent(event: typeof guestSessionStarted, row: GuestSession): Effect {
  const { guest_session_id, charge_point_id, connector_id, status, session_id, final_cost, currency, end } = row
  const about = { organizationId: row.organization_id, subject: charge_point_id }
  return emit(event, about, {
    guest_session_id,
    charge_point_id,
    connector_id,
    status,
    session_id: session_id ?? null,
    final_cost: final_cost ?? null,
    currency: currency ?? row.payment.currency,
    payment_status: row.payment.status,
    end: end ?? null,
  })
}
