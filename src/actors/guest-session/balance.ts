// Where a guest's money stands: what was captured and given back, and what of the cost nobody pays. Pure: computed from the row.

import { amountOf, minorOf, minorUnitsOf } from '../../pricing/money.js'
import type { GuestSession } from '../../records/guest-session.js'

/** In minor units. Once the payment is settled, cost = captured - refunded - refundPending - owed + writtenOff. */
export interface Balance {
  readonly captured: number
  readonly refunded: number
  readonly refundPending: number
  /** What the guest has paid beyond the cost, and the provider would not give back. */
  readonly owed: number
  /** What of the cost is not paid; undefined while the payment is not settled. */
  readonly writtenOff: number | undefined
}

const unsettled: ReadonlySet<string> = new Set(['pending', 'authorized', 'capture_pending', 'release_pending'])

/** The cost in minor units of its currency. Money that was set aside in another currency does not pay it. */
export function costMinorOf({ final_cost, currency, payment }: GuestSession): number {
  return minorOf(final_cost ?? 0, minorUnitsOf(currency ?? payment.currency))
}

export function balanceOf(row: GuestSession): Balance {
  const { status, capture_minor, refunds = [] } = row.payment
  const captured = status === 'captured' ? (capture_minor ?? 0) : 0
  const sum = (wanted: string): number =>
    refunds.reduce((total, { status, amount_minor }) => (status === wanted ? total + amount_minor : total), 0)
  const refunded = sum('refunded')
  const refundPending = sum('pending')
  const paid = captured - refunded - refundPending
  const cost = costMinorOf(row)
  const settled = !unsettled.has(status) && row.status === 'stopped'
  return {
    captured,
    refunded,
    refundPending,
    owed: Math.max(0, paid - cost),
    writtenOff: settled ? Math.max(0, cost - paid) : undefined,
  }
}

/** The same in units of the currency, as callers and events say it. */
export function balanceView(row: GuestSession) {
  const { payment } = row
  const balance = balanceOf(row)
  const units = minorUnitsOf(payment.currency)
  const { writtenOff } = balance
  return {
    authorized_amount: amountOf(payment.authorized_minor, units),
    captured_amount: payment.status === 'captured' ? amountOf(balance.captured, units) : null,
    refunded_amount: amountOf(balance.refunded, units),
    refund_pending_amount: amountOf(balance.refundPending, units),
    owed_amount: amountOf(balance.owed, units),
    written_off_amount:
      writtenOff === undefined ? null : amountOf(writtenOff, minorUnitsOf(row.currency ?? payment.currency)),
  }
}
