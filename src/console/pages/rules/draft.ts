// A billing rule as it is being written: texts in fields, and what they come to when they are sent.

import type { Schema } from '../../client/api.js'

type Condition = Schema<'BillingRuleCondition'>
export type Operator = Condition['operator']
export type ConditionField = Condition['field']
type Action = Schema<'NewBillingRule'>['actions'][number]
export type ActionType = Action['type']

export const fields: Readonly<Record<ConditionField, { readonly name: string; readonly isNumber: boolean }>> = {
  energy_kwh: { name: 'Energy (kWh)', isNumber: true },
  duration_minutes: { name: 'Duration (minutes)', isNumber: true },
  idle_minutes: { name: 'Idle time (minutes)', isNumber: true },
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
  discount_percent: 'Discount in %',
  surcharge_percent: 'Surcharge in %',
  discount_fixed: 'Discount of',
  surcharge_fixed: 'Surcharge of',
  minimum_cost: 'Cost of at least',
  maximum_cost: 'Cost of at most',
  set_total: 'Cost of exactly',
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

/** As a sentence says them. */
const said: Readonly<Record<ConditionField, readonly [name: string, unit?: string]>> = {
  energy_kwh: ['the energy', 'kWh'],
  duration_minutes: ['the duration', 'minutes'],
  idle_minutes: ['the idle time', 'minutes'],
  start_hour: ['the hour of the start'],
  day_of_week: ['the day of the week'],
  base_cost: ['the cost before rules'],
  id_tag: ['the tag'],
  charge_point_id: ['the charger'],
  site_id: ['the site'],
  connector_id: ['the connector'],
  stop_reason: ['the stop reason'],
  auth_method: ['the way of authorization'],
}

const effects: Readonly<Record<ActionType, (value: string) => string>> = {
  discount_percent: (value) => `${value} % less`,
  surcharge_percent: (value) => `${value} % more`,
  discount_fixed: (value) => `${value} less`,
  surcharge_fixed: (value) => `${value} more`,
  minimum_cost: (value) => `at least ${value}`,
  maximum_cost: (value) => `at most ${value}`,
  set_total: (value) => `exactly ${value}`,
}

/** In a line: `If the energy is at least 40 kWh, the cost is 5 % less.` */
export function ruleText({ conditions, actions }: RuleDraft): string {
  const when = conditions.map(({ field, operator, value }) => {
    const [name, unit] = said[field]
    return `${name} ${operators[operator]} ${operator === 'between' ? value.replace(/,\s*/, ' and ') : value}${unit === undefined ? '' : ` ${unit}`}`
  })
  const then = actions.map(({ type, value }) => effects[type](value)).join(', then ')
  return `${when.length === 0 ? 'Always' : `If ${when.join(' and ')}`}, the cost is ${then}.`
}
