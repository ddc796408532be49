// A billing rule as it is being written: texts in fields, and what they come to when they are sent.

import type { Schema } from '../../client/api.js'

type Condition = Schema<'BillingRuleCondition'>
export type Operator = Condition['operator']
export type ConditionField = Condition['field']
type Action = Schema<'NewBillingRule'>['actions'][number]
export type ActionType = Action['type']

export const fields: Readonly<Record<ConditionField, { readonly name: string; readonly isNumber: boolean }>> = {
  energy_kwh: { name: 'Energy, kWh', isNumber: true },
  duration_minutes: { name: 'Duration, minutes', isNumber: true },
  idle_minutes: { name: 'Idle time, minutes', isNumber: true },
  start_hour: { name: 'Hour of the start', isNumber: true },
  day_of_week: { name: 'Day of the week', isNumber: false },
  base_cost: { name: 'Cost before rules', isNumber: true },
  id_tag: { name: 'Tag', isNumber: false },
  charge_point_id: { name: 'Charger', isNumber: false },
  site_id: { name: 'Site', isNumber: false },
  connector_id: { name: 'Connector', isNumber: true },
  stop_reason: { name: 'Stop reason', isNumber: false },
  auth_method: { name: 'Authorized by', isNumber: false },
}

export const operators: Readonly<Record<Operator, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  not_in: 'is none of',
  between: 'is between',
}

export const actionNames: Readonly<Record<ActionType, string>> = {
  discount_percent: 'Discount, %',
  surcharge_percent: 'Surcharge, %',
  discount_fixed: 'Discount of',
  surcharge_fixed: 'Surcharge of',
  minimum_cost: 'At least',
  maximum_cost: 'At most',
  set_total: 'Exactly',
}

export interface ConditionDraft {
  readonly field: ConditionField
  readonly operator: Operator
  /** Several with commas. */
  readonly value: string
}

export interface ActionDraft {
  readonly type: ActionType
  readonly value: string
}

export interface RuleDraft {
  readonly name: string
  readonly priority: string
  readonly active: boolean
  readonly conditions: readonly ConditionDraft[]
  readonly actions: readonly ActionDraft[]
}

export const newRule: RuleDraft = {
  name: '',
  priority: '100',
  active: true,
  conditions: [],
  actions: [{ type: 'discount_percent', value: '5' }],
}

export function draftOf(rule: Schema<'BillingRule'>): RuleDraft {
  return {
    name: rule.name,
    priority: String(rule.priority),
    active: rule.active,
    conditions: rule.conditions.map(({ field, operator, value }) => ({
      field,
      operator,
      value: [value].flat().join(', '),
    })),
    actions: rule.actions.map(({ type, value }) => ({ type, value: String(value) })),
  }
}

const isList = (operator: Operator): boolean => operator === 'in' || operator === 'not_in' || operator === 'between'

function sentValue({ field, operator, value }: ConditionDraft): Condition['value'] {
  const one = (text: string): string | number => {
    const trimmed = text.trim()
    const number = Number(trimmed)
    return fields[field].isNumber && trimmed !== '' && Number.isFinite(number) ? number : trimmed
  }
  return isList(operator) ? value.split(',').map(one) : one(value)
}

export function sentRule({ name, priority, active, conditions, actions }: RuleDraft) {
  return {
    name,
    priority: Number(priority),
    active,
    conditions: conditions.map((condition) => ({
      field: condition.field,
      operator: condition.operator,
      value: sentValue(condition),
    })),
    actions: actions.map(({ type, value }) => ({ type, value: Number(value.replace(',', '.')) })),
  }
}

/** In a line. */
export function ruleText({ conditions, actions }: RuleDraft): string {
  const when = conditions.map(({ field, operator, value }) => `${fields[field].name} ${operators[operator]} ${value}`)
  const then = actions.map(({ type, value }) => `${actionNames[type]} ${value}`)
  return `${when.length === 0 ? 'Always' : `If ${when.join(' and ')}`}: ${then.join(', ')}`
}
