// How a guest session is written: always together with the time at which it must be looked at again.

import { emit } from '../../events/define-event.js'
import type { guestSessionStarted } from '../../events/guest-session.js'
import { type GuestSession, guestSessionsTable } from '../../records/guest-session.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { balanceView } from './balance.js'
import { guestSessionAddress } from './messages.js'
import { pendingRefund } from './refunds.js'

export const lookReason = 'look'
/** A start that nobody has answered in this time was interrupted. */
const startsWithinMs = 60_000
export const lookAgainMs = 60_000

/** `lookInMs`: sooner than usual, where something is near. */
export function save(
  state: { row: GuestSession | undefined },
  row: GuestSession,
  context: Context,
  lookInMs = lookAgainMs,
): readonly Effect[] {
  const self = guestSessionAddress(context.id)
  const afterMs = nextLookMs(row, context.steady(), lookInMs)
  const look = afterMs === undefined ? wakeNoMore(self, lookReason) : wakeAfter(self, lookReason, afterMs, context)
  // A look that found nothing new moves its own time only.
  if (state.row === row) return [look]
  state.row = row
  return [effect.put(guestSessionsTable, row), look]
}

/** Undefined when there is nothing left to do. */
function nextLookMs(row: GuestSession, steady: number, lookInMs: number): number | undefined {
  if (row.status === 'charging') return lookInMs
  if (row.status === 'authorizing')
    return row.offered
      ? Math.min(expiresInMs(row, steady), lookAgainMs)
      : (row.since ?? Date.parse(row.created_at)) + startsWithinMs - steady
  const { status, next_attempt_at } = row.payment
  const pending = status === 'capture_pending' || status === 'release_pending'
  const refund = pendingRefund(row)
  if (!pending && refund === undefined) return undefined
  const next = pending ? next_attempt_at : refund?.next_attempt_at
  return next === undefined ? 0 : Date.parse(next) - steady
}

/** How long the charge may still begin; a jump of the clock neither shortens nor lengthens it. */
export function expiresInMs({ created_at, expires_at, since }: GuestSession, steady: number): number {
  const createdAt = Date.parse(created_at)
  return Date.parse(expires_at) - createdAt - (steady - (since ?? createdAt))
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
    ...balanceView(row),
  })
}
