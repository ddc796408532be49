// What pricing needs of a billing rule: the conditions that must all hold for a session, and the actions that then change its cost.

export const conditionFields = [
  'energy_kwh',
  'duration_minutes',
  'idle_minutes',
  'start_hour',
  'day_of_week',
  'id_tag',
  'charge_point_id',
  'site_id',
  'connector_id',
  'base_cost',
  'stop_reason',
  'auth_method',
] as const
export type ConditionField = (typeof conditionFields)[number]

export const conditionOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'between'] as const
export type ConditionOperator = (typeof conditionOperators)[number]

export type ConditionValue = string | number | readonly (string | number)[]

export interface RuleCondition {
  readonly field: ConditionField
  readonly operator: ConditionOperator
  readonly value: ConditionValue
}

export const actionTypes = [
  'discount_percent',
  'surcharge_percent',
  'discount_fixed',
  'surcharge_fixed',
  'minimum_cost',
  'maximum_cost',
  'set_total',
] as const
export type ActionType = (typeof actionTypes)[number]

export interface RuleAction {
  readonly type: ActionType
  /** Percent, or an amount of the session's currency before tax. */
  readonly value: number
}

export interface RuleTerms {
  readonly rule_id: string
  readonly name: string
  /** A positive integer; lower ones run first, of equal ones the older. */
  readonly priority: number
  /** All must hold; a rule without conditions always applies. */
  readonly conditions: readonly RuleCondition[]
  readonly actions: readonly RuleAction[]
  readonly active: boolean
  readonly created_at: string
}
