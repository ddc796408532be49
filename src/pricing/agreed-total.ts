// The price of a session for which a total has been agreed with the driver: the difference is an adjustment, so that the lines still
// say what was measured, and subtotal + adjustments + tax = total holds as before.

import { amountOf, Exact, minorOf, roundedTo } from './money.js'
import type { PricedSession } from './price-session.js'

export interface AgreedTotal {
  readonly dispute_id: string
  /** With tax, in the currency of the session, whole minor units. */
  readonly total: number
}

/**
 * A price that is not above the agreed total stays as it is. The tax is what the total contains by the percentage, rounded half up; the
 * rest is net.
 */
export function withAgreedTotal(priced: PricedSession, agreed: AgreedTotal): PricedSession {
  const { minor_units: minorUnits } = priced.trace.rounding
  const total = minorOf(agreed.total, minorUnits)
  const before = minorOf(priced.total, minorUnits)
  if (total >= before) return priced
  const net = roundedTo(new Exact(total).times(100).div(new Exact(100).plus(priced.tax_percentage)), 0).toNumber()
  const netBefore = before - minorOf(priced.tax, minorUnits)
  const adjustment = {
    rule_id: agreed.dispute_id,
    name: 'Dispute accepted',
    effect: `a total of ${amountOf(total, minorUnits).toFixed(minorUnits)} ${priced.currency} with tax was agreed`,
    amount: amountOf(net - netBefore, minorUnits),
  }
  const note = `The dispute ${agreed.dispute_id} was accepted; before that, the total was ${amountOf(before, minorUnits).toFixed(minorUnits)} ${priced.currency}.`
  return {
    ...priced,
    adjustments: [...priced.adjustments, adjustment],
    tax: amountOf(total - net, minorUnits),
    total: amountOf(total, minorUnits),
    trace: { ...priced.trace, notes: [...priced.trace.notes, note] },
  }
}

/**
 * What the session cost by its tariff and rules, before totals were agreed: what other terms are compared with. The same where none was
 * agreed, or none that was less.
 */
export function totalBeforeAgreement({ total, subtotal, adjustments, trace }: PricedSession): number {
  const { minor_units: minorUnits, exact_tax: exactTax } = trace.rounding
  // Actions are what rules did; further adjustments are agreements, whose tax the trace does not have.
  const ofRules = new Set(trace.rules.map(({ rule_id }) => rule_id))
  const kept = adjustments.filter(({ rule_id }) => ofRules.has(rule_id))
  if (kept.length === adjustments.length) return total
  const minor = kept.reduce((sum, { amount }) => sum + minorOf(amount, minorUnits), minorOf(subtotal, minorUnits))
  return amountOf(minor + minorOf(new Exact(exactTax), minorUnits), minorUnits)
}
