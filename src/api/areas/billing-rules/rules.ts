// Billing rules as callers send and see them: their schemas, what a schema cannot check, how they are stored and shown.

import { type Static, Type } from 'typebox'
import { limits as pricingLimits } from '../../../pricing/limits.js'
import {
  actionTypes,
  type ConditionValue,
  conditionFields,
  conditionOperators,
  type RuleCondition,
} from '../../../pricing/rule-terms.js'
import type { BillingRule } from '../../../records/billing-rule.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { limits as requestLimits } from '../../pipeline/limits.js'
import { named, nameText, timestamp } from '../../pipeline/schemas.js'
import { limits } from './limits.js'
import { actionFaults, conditionFaults } from './rule-checks.js'

const conditionValue = () =>
  Type.Union([Type.Number(), Type.String(), Type.Array(Type.Union([Type.Number(), Type.String()]))], {
    description: 'An array for `in`, `not_in` and `between` (two values); a single value for all other operators.',
  })

export const conditionSchema = named('BillingRuleCondition', {
  field: Type.Enum([...conditionFields]),
  operator: Type.Enum([...conditionOperators]),
  value: conditionValue(),
})

const actionSchema = named('BillingRuleAction', {
  type: Type.Enum([...actionTypes]),
  value: Type.Number({
    minimum: 0,
    maximum: pricingLimits.price,
    description: 'A percentage, or an amount before tax.',
  }),
})

const fields = {
  name: nameText(),
  priority: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Rules with a lower priority run first.' }),
  conditions: Type.Array(conditionSchema, {
    maxItems: limits.ruleConditions,
    description: 'All conditions must hold. A rule without conditions always applies.',
  }),
  actions: Type.Array(actionSchema, {
    minItems: 1,
    maxItems: limits.ruleActions,
    description: 'The actions run in this order.',
  }),
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
  ].slice(0, requestLimits.errorDetails)
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
