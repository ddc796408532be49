// Billing rules themselves: listed, read, created, replaced, deleted, and tried on a session that somebody thought up.

import { type Static, Type } from 'typebox'
import type { BillingRule } from '../../../records/billing-rule.js'
import { defaultCurrency } from '../../../records/organization.js'
import { conflict } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import { recordRoutes } from '../../pipeline/record-routes.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { announcePrices } from '../charge-points/announce-place.js'
import { area, rules } from './area.js'
import { limits } from './limits.js'
import { ruleTestBody, ruleTestFaults, ruleTestSchema, testRule } from './rule-test.js'
import { newRuleBody, ruleFaults, ruleSchema, ruleView, storedFields, wholeRuleBody } from './rules.js'

const routes = recordRoutes(area, rules, { schema: ruleSchema, show: ruleView })

/** A tariff may come to be one that roaming partners cannot be offered, or the other way round. */
function announceRule(row: BillingRule, draft: Draft, services: Services): void {
  announcePrices(draft, row.organization_id, services)
}

const nightDiscount: Static<typeof newRuleBody> = {
  name: 'Night discount',
  priority: 10,
  conditions: [
    { field: 'start_hour', operator: 'between', value: [22, 5] },
    { field: 'energy_kwh', operator: 'gte', value: 10 },
  ],
  actions: [{ type: 'discount_percent', value: 15 }],
}

const createRule = routes.create({
  operationId: 'createBillingRule',
  summary: 'Create a billing rule',
  description:
    'Active rules run in ascending priority (older first when equal); each rule works on the result of the previous one.',
  body: newRuleBody,
  examples: { nightDiscount },
  check: (body) => ruleFaults(body),
  room: {
    index: 'byPriority',
    most: limits.billingRules,
    otherwise: () =>
      conflict(
        `an organization has at most ${limits.billingRules} billing rules: delete one that is no longer needed before you create another`,
      ),
  },
  fields: storedFields,
  along: announceRule,
})

const listRules = routes.list({
  operationId: 'listBillingRules',
  summary: 'List billing rules in the order in which they run',
  filters: {
    active: Type.Optional(Type.Boolean({ description: 'true returns only the active rules, false only the others.' })),
  },
  index: 'byPriority',
  indexes: { active: 'byActive' },
})

const getRule = routes.get({ operationId: 'getBillingRule', summary: 'Get a billing rule' })

const replaceRule = routes.replace({
  operationId: 'replaceBillingRule',
  summary: 'Replace a billing rule',
  description: 'Replaces every field. The change applies to sessions that end from now on.',
  body: wholeRuleBody,
  examples: { paused: { ...nightDiscount, active: false } },
  check: (body) => ruleFaults(body),
  fields: storedFields,
  along: announceRule,
})

const deleteRule = routes.remove({
  operationId: 'deleteBillingRule',
  summary: 'Delete a billing rule',
  description: 'Sessions that have already ended keep the cost that the rule gave them.',
  along: announceRule,
})

const tryRule = area.compute('/{rule_id}/test', {
  operationId: 'testBillingRule',
  summary: 'Test a billing rule on a hypothetical session',
  description: 'Creates no charge. The rule is tested whether it is active or not.',
  of: rules,
  scopes: ['write:billing', 'read:billing'],
  body: ruleTestBody,
  answer: ruleTestSchema,
  examples: { night: { start_hour: 23, energy_kwh: 31.5, day_of_week: 'sat', base_cost: 15.4 } },
  read({ row, principal, body }) {
    const faults = ruleTestFaults(body)
    if (faults.length > 0) throw invalid(faults)
    return testRule(row, body, principal.organization.default_currency ?? defaultCurrency)
  },
})

export const ruleRoutes = [createRule, listRules, getRule, replaceRule, deleteRule, tryRule]
