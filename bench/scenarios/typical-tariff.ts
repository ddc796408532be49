// A tariff and rules as networks have them, for what pricing costs: four components, five rules of two conditions each.

import type { BillingRule } from '../../src/records/billing-rule.js'

export const typicalComponents = [
  { type: 'energy', price: 0.49, step_size: 100 },
  { type: 'time', price: 1.2, step_size: 60 },
  { type: 'idle', price: 6, step_size: 60, grace_minutes: 10 },
  { type: 'flat', price: 0.5, step_size: 1 },
] as const

const made = { organization_id: 'org_bench', version: 1, active: true, created_at: '', updated_at: '' }

export const typicalRules: readonly BillingRule[] = Array.from({ length: 5 }, (_, at) => ({
  ...made,
  rule_id: `rule_${at}`,
  name: `Rule ${at}`,
  priority: at + 1,
  conditions: [
    { field: 'energy_kwh', operator: 'gte', value: at },
    { field: 'start_hour', operator: 'between', value: [0, 23] },
  ],
  actions: [{ type: at % 2 === 0 ? 'discount_percent' : 'surcharge_fixed', value: 1 }],
}))
