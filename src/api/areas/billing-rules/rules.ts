// What routes share of billing rules: their schemas, how they are stored and shown, and whose they are.

import { type Static, Type } from 'typebox'
import {
  actionTypes,
  type ConditionValue,
  conditionFields,
  conditionOperators,
  type RuleCondition,
} from '../../../pricing/rule-terms.js'
import { type BillingRule, billingRulesTable } from '../../../records/billing-rule.js'
import { type ErrorDetail, notFound } from '../../../runtime/errors.js'
import { limits } from '../../../runtime/limits.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import type { Principal } from '../../surfaces/principal.js'
import { actionFaults, conditionFaults } from './rule-checks.js'

export const ruleParams = Type.Object({ rule_id: Type.String({ maxLength: 64 }) })

const conditionValue = () =>
  Type.Union([Type.Number(), Type.String(), Type.Array(Type.Union([Type.Number(), Type.String()]))], {
    description: 'an array for in, not_in and between (two values), else a single value',
  })

export const conditionSchema = named('BillingRuleCondition', {
  field: Type.Enum([...conditionFields]),
  operator: Type.Enum([...conditionOperators]),
  value: conditionValue(),
})

const actionSchema = named('BillingRuleAction', {
  type: Type.Enum([...actionTypes]),
  value: Type.Number({ minimum: 0, maximum: limits.price, description: 'percent, or an amount before tax' }),
})

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  priority: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'lower ones run first' }),
  conditions: Type.Array(conditionSchema, {
    maxItems: limits.ruleConditions,
    description: 'all must hold; without any, the rule always applies',
  }),
  actions: Type.Array(actionSchema, { minItems: 1, maxItems: limits.ruleActions, description: 'in this order' }),
}

export const newRuleBody = named('NewBillingRule', {
  ...fields,
  active: Type.Optional(Type.Boolean({ default: true })),
})
export const wholeRuleBody = Type.Object({ ...fields, active: Type.Boolean() })

export const ruleSchema = named('BillingRule', {
  rule_id: Type.String(),
  ...fields,
  active: Type.Boolean(),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export type GivenRule = Static<typeof newRuleBody>

/** `path` is the rule's place in the body. */
export function ruleFaults(rule: GivenRule, path = ''): ErrorDetail[] {
  return [
    ...rule.conditions.flatMap((condition, at) => conditionFaults(condition, `${path}/conditions/${at}`)),
    ...rule.actions.flatMap((action, at) => actionFaults(action, `${path}/actions/${at}`)),
  ].slice(0, limits.errorDetails)
}

/** Days by their short names, as schedules have them. */
function storedCondition({ field, operator, value }: Static<typeof conditionSchema>): RuleCondition {
  const shortDay = (day: string | number): string | number =>
    field === 'day_of_week' ? String(day).slice(0, 3).toLowerCase() : day
  const stored: ConditionValue = Array.isArray(value) ? value.map(shortDay) : shortDay(value)
  return { field, operator, value: stored }
}

export function storedFields(
  rule: GivenRule,
): Pick<BillingRule, 'name' | 'priority' | 'conditions' | 'actions' | 'active'> {
  return {
    name: rule.name,
    priority: rule.priority,
    conditions: rule.conditions.map(storedCondition),
    actions: rule.actions.map(({ type, value }) => ({ type, value })),
    active: rule.active ?? true,
  }
}

export function ruleView({ organization_id, version, ...shown }: BillingRule): Static<typeof ruleSchema> {
  const { conditions, actions, ...others } = shown
  return {
    ...others,
    conditions: conditions.map(({ field, operator, value }) => ({
      field,
      operator,
      value: typeof value === 'object' ? [...value] : value,
    })),
    actions: [...actions],
  }
}

export function findRule(view: ReadView, principal: Principal, ruleId: string): BillingRule | undefined {
  const found = view.get(billingRulesTable, [ruleId])
  return found?.organization_id === principal.organization.organization_id ? found : undefined
}

/** Throws `not_found`. */
export function ownRule(view: ReadView, principal: Principal, ruleId: string): BillingRule {
  const found = findRule(view, principal, ruleId)
  if (found !== undefined) return found
  throw notFound('there is no such billing rule')
}
