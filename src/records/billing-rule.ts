// A billing rule: when its conditions all hold for a session, its actions change what the session costs.

import type { RuleTerms } from '../pricing/rule-terms.js'
import { defineTable } from '../runtime/store/table.js'

export interface BillingRule extends RuleTerms {
  readonly organization_id: string
  readonly version: number
  readonly updated_at: string
}

export const billingRulesTable = defineTable<BillingRule>({
  name: 'billing_rules',
  key: (row) => [row.rule_id],
  indexes: {
    // The rule's id comes last and sorts by creation: the order in which rules run.
    byPriority: (row) => [{ group: [row.organization_id], order: [row.priority] }],
    byActive: (row) => [{ group: [row.organization_id, row.active ? 1 : 0], order: [row.priority] }],
  },
})
