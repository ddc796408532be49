// Billing rules: they change what sessions cost that end from now on.

import { type Static, Type } from 'typebox'
import { type BillingRule, billingRulesTable } from '../../../records/billing-rule.js'
import { defaultCurrency } from '../../../records/organization.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { limits } from '../../../runtime/limits.js'
import { below, putRow, removeRow, unchanged } from '../../pipeline/changes.js'
import { defineList } from '../../pipeline/list-route.js'
import { type List, readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { ruleTestBody, ruleTestFaults, ruleTestSchema, testRule } from './rule-test.js'
import {
  newRuleBody,
  ownRule,
  ruleFaults,
  ruleParams,
  ruleSchema,
  ruleView,
  storedFields,
  wholeRuleBody,
} from './rules.js'

const tags = ['Billing rules'] as const

const nightDiscount: Static<typeof newRuleBody> = {
  name: 'Night discount',
  priority: 10,
  conditions: [
    { field: 'start_hour', operator: 'between', value: [22, 5] },
    { field: 'energy_kwh', operator: 'gte', value: 10 },
  ],
  actions: [{ type: 'discount_percent', value: 15 }],
}

const createRule = defineRoute({
  method: 'POST',
  path: '/api/v1/billing/rules',
  operationId: 'createBillingRule',
  summary: 'Make a billing rule',
  description:
    'Active rules run in ascending priority, of equal ones the older first, each on what the one before left.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  body: newRuleBody,
  responses: { 201: ruleSchema },
  errors: [conflict],
  sheddable: 'never',
  examples: { nightDiscount },
  handle({ principal, body }, services) {
    const faults = ruleFaults(body)
    if (faults.length > 0) throw invalid(faults)
    const { organization_id } = principal.organization
    const tooMany = conflict(`an organization has at most ${limits.billingRules} billing rules`)
    if (services.view().total(billingRulesTable, 'byPriority', [organization_id]) >= limits.billingRules) throw tooMany
    const now = formatTimestamp(services.clock.now())
    const row: BillingRule = {
      rule_id: services.newId('rul'),
      organization_id,
      version: 1,
      ...storedFields(body),
      created_at: now,
      updated_at: now,
    }
    return {
      status: 201,
      body: ruleView(row),
      changes: [putRow(billingRulesTable, row)],
      conditions: [
        {
          condition: below(billingRulesTable, 'byPriority', [organization_id], limits.billingRules),
          otherwise: tooMany,
        },
      ],
    }
  },
})

const listRules = defineList({
  surface: operator,
  path: '/api/v1/billing/rules',
  operationId: 'listBillingRules',
  summary: 'List billing rules in the order in which they run',
  tags,
  scopes: ['read:billing'],
  filters: { active: Type.Optional(Type.Boolean()) },
  row: ruleSchema,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const list: List =
      query.active === undefined
        ? { index: 'byPriority', group: [organization_id] }
        : { index: 'byActive', group: [organization_id, query.active ? 1 : 0] }
    const { rows, total } = readPage({ view: services.view(), table: billingRulesTable, list, query })
    return { rows: rows.map(ruleView), total }
  },
})

const getRule = defineRoute({
  method: 'GET',
  path: '/api/v1/billing/rules/{rule_id}',
  operationId: 'getBillingRule',
  summary: 'Read a billing rule',
  tags,
  surface: operator,
  scopes: ['read:billing'],
  params: ruleParams,
  responses: { 200: ruleSchema },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal, params }, services) => ({
    status: 200,
    body: ruleView(ownRule(services.view(), principal, params.rule_id)),
  }),
})

const replaceRule = defineRoute({
  method: 'PUT',
  path: '/api/v1/billing/rules/{rule_id}',
  operationId: 'replaceBillingRule',
  summary: 'Replace a billing rule',
  description: 'Every field is replaced. For sessions that end from now on.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: ruleParams,
  body: wholeRuleBody,
  responses: { 200: ruleSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: { paused: { ...nightDiscount, active: false } },
  handle({ principal, params, body }, services) {
    const before = ownRule(services.view(), principal, params.rule_id)
    const faults = ruleFaults(body)
    if (faults.length > 0) throw invalid(faults)
    const row: BillingRule = {
      ...before,
      version: before.version + 1,
      ...storedFields(body),
      updated_at: formatTimestamp(services.clock.now()),
    }
    return {
      status: 200,
      body: ruleView(row),
      changes: [putRow(billingRulesTable, row)],
      conditions: [{ condition: unchanged(billingRulesTable, [before.rule_id], before) }],
    }
  },
})

const deleteRule = defineRoute({
  method: 'DELETE',
  path: '/api/v1/billing/rules/{rule_id}',
  operationId: 'deleteBillingRule',
  summary: 'Remove a billing rule',
  description: 'What it did to sessions that have ended stays.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: ruleParams,
  responses: { 204: null },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const key = [ownRule(services.view(), principal, params.rule_id).rule_id]
    return {
      status: 204,
      changes: [removeRow(billingRulesTable, key)],
      conditions: [{ condition: { table: billingRulesTable.name, key, is: 'present' } }],
    }
  },
})

const tryRule = defineRoute({
  method: 'POST',
  path: '/api/v1/billing/rules/{rule_id}/test',
  operationId: 'testBillingRule',
  changesNothing: true,
  summary: 'Try a billing rule on a hypothetical session',
  description: 'Creates no charge. The rule is tried whether it is active or not.',
  tags,
  surface: operator,
  scopes: ['write:billing', 'read:billing'],
  params: ruleParams,
  body: ruleTestBody,
  responses: { 200: ruleTestSchema },
  errors: [notFound],
  sheddable: 'never',
  examples: { night: { start_hour: 23, energy_kwh: 31.5, day_of_week: 'sat', base_cost: 15.4 } },
  handle({ principal, params, body }, services) {
    const rule = ownRule(services.view(), principal, params.rule_id)
    const faults = ruleTestFaults(body)
    if (faults.length > 0) throw invalid(faults)
    const currency = principal.organization.default_currency ?? defaultCurrency
    return { status: 200, body: testRule(rule, body, currency) }
  },
})

export const billingRuleRoutes = [createRule, listRules, getRule, replaceRule, deleteRule, tryRule]
