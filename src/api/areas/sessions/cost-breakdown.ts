// The cost of a session line by line, as drivers and operators see it.

import { Type } from 'typebox'
import { named, timestamp } from '../../pipeline/schemas.js'
import type { SessionPrice } from './session-price.js'

/** What a price has, whatever it is the price of. */
export const breakdownFields = {
  currency: Type.String(),
  tariff_id: Type.String(),
  lines: Type.Array(
    Type.Object({
      type: Type.Enum(['energy', 'time', 'idle', 'flat']),
      description: Type.String(),
      quantity: Type.Number(),
      unit: Type.Enum(['kWh', 'h', 'session']),
      unit_price: Type.Number(),
      amount: Type.Number(),
    }),
  ),
  adjustments: Type.Array(
    Type.Object({ rule_id: Type.String(), name: Type.String(), effect: Type.String(), amount: Type.Number() }),
  ),
  subtotal: Type.Number({ description: 'The sum of the lines, before adjustments and tax.' }),
  tax_percentage: Type.Number(),
  tax: Type.Number(),
  total: Type.Number(),
}

export const costBreakdownSchema = named('CostBreakdown', {
  session_id: Type.String(),
  ...breakdownFields,
  final: Type.Boolean({ description: 'false while the session is running.' }),
  priced_at: timestamp('The time at which the cost was calculated.'),
})

export function costBreakdownView({ priced, final, pricedAt }: SessionPrice) {
  const { trace: _, ...breakdown } = priced
  return { ...breakdown, final, priced_at: pricedAt }
}
