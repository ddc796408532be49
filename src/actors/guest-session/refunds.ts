// What is given back when the cost of a charge was corrected after the capture: decided here, once for each correction.

import type { GuestRefund, GuestSession } from '../../records/guest-session.js'
import { balanceOf } from './balance.js'
import { limits } from './limits.js'

/** The row with a refund of what was paid beyond the cost. Called when the cost or what was captured has changed, and then only. */
export function withRefundDue(row: GuestSession, steady: number): GuestSession {
  const { owed } = balanceOf(row)
  const { payment } = row
  const refunds = payment.refunds ?? []
  if (owed === 0 || refunds.length >= limits.guestRefunds) return row
  const refund: GuestRefund = {
    key: `${row.guest_session_id}/refund/${refunds.length + 1}`,
    status: 'pending',
    amount_minor: owed,
    due_since: new Date(steady).toISOString(),
    next_attempt_at: new Date(steady).toISOString(),
  }
  return { ...row, payment: { ...payment, refunds: [...refunds, refund] } }
}

/** One after the other: the oldest that the provider has not decided. */
export function pendingRefund(row: GuestSession): GuestRefund | undefined {
  return row.payment.refunds?.find(({ status }) => status === 'pending')
}
