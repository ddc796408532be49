// What one billing rule makes of a cost. Costs are before tax: tax is taken of what the rules leave.
// Every action's result is rounded half up to the minor unit, so that what is shown adds up; none falls below 0.

import { limits } from './limits.js'
import { amountOf, amountText, Exact, minorOf, roundedTo } from './money.js'
import { type ConditionResult, evaluateCondition, type RuleFields } from './rule-conditions.js'
import type { ActionType, RuleAction, RuleTerms } from './rule-terms.js'

export interface AppliedAction {
  readonly type: RuleAction['type']
  readonly value: number
  /** In words, with the cost before and after. */
  readonly effect: string
}

/** What the test route answers. Amounts in the currency. */
export interface RuleEvaluation {
  readonly rule_id: string
  readonly matched: boolean
  readonly condition_results: readonly ConditionResult[]
  readonly applied_actions: readonly AppliedAction[]
  readonly base_cost: number
  readonly adjusted_cost: number
  readonly difference: number
}

/** One action's step, in minor units. */
export interface CostStep {
  readonly action: AppliedAction
  readonly before: number
  readonly after: number
}

export interface RuleRun {
  readonly matched: boolean
  readonly condition_results: readonly ConditionResult[]
  readonly steps: readonly CostStep[]
  /** Minor units. */
  readonly after: number
}

export type RunnableRule = Pick<RuleTerms, 'rule_id' | 'conditions' | 'actions'>

function boundedCost(minor: number): number {
  return Math.max(0, Math.min(limits.costMinorUnits, minor))
}

/** What an action by percent makes of a cost, in minor units and unrounded; undefined for the others, whose amounts are whole. */
function exactPercent(type: ActionType, value: number, before: number): Exact | undefined {
  if (type === 'discount_percent') return new Exact(100).minus(Math.min(100, value)).times(before).div(100)
  if (type === 'surcharge_percent') return new Exact(100).plus(value).times(before).div(100)
  return undefined
}

function resultOf(action: RuleAction, value: number, before: number, minorUnits: number): number {
  const exact = exactPercent(action.type, value, before)
  if (exact !== undefined) return roundedTo(exact, 0).toNumber()
  switch (action.type) {
    case 'discount_fixed':
      return before - minorOf(value, minorUnits)
    case 'surcharge_fixed':
      return before + minorOf(value, minorUnits)
    case 'minimum_cost':
      return Math.max(before, minorOf(value, minorUnits))
    case 'maximum_cost':
      return Math.min(before, minorOf(value, minorUnits))
    case 'set_total':
      return minorOf(value, minorUnits)
    default:
      return before
  }
}

const words: Readonly<Record<ActionType, string>> = {
  discount_percent: 'discount of',
  surcharge_percent: 'surcharge of',
  discount_fixed: 'discount of',
  surcharge_fixed: 'surcharge of',
  minimum_cost: 'minimum cost of',
  maximum_cost: 'maximum cost of',
  set_total: 'cost set to',
}

/** As receipts print it: `discount of 15%: 9.99 becomes 8.49`. A stored action may be of a type that this version does not know. */
function describe({ type, value }: RuleAction, before: number, after: number, minorUnits: number): string {
  const text = (minor: number): string => amountText(minor, minorUnits)
  const given = type.endsWith('_percent') || !Number.isFinite(value) ? String(value) : text(minorOf(value, minorUnits))
  const action = `${words[type] ?? type} ${given}${type.endsWith('_percent') ? '%' : ''}`
  return before === after
    ? `${action}: ${text(before)} is unchanged`
    : `${action}: ${text(before)} becomes ${text(after)}`
}

/** Undefined for a stored value that is not a number. */
function boundedValue({ value }: Pick<RuleAction, 'value'>): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.min(limits.price, value)) : undefined
}

/** By how much an action has changed a cost of `before` minor units, before its result was rounded; undefined where nothing was rounded. */
export function exactChange(action: Pick<RuleAction, 'type' | 'value'>, before: number): Exact | undefined {
  const value = boundedValue(action)
  return value === undefined ? undefined : exactPercent(action.type, value, before)?.minus(before)
}

function runAction(action: RuleAction, before: number, minorUnits: number): CostStep {
  const value = boundedValue(action)
  const after = value === undefined ? before : boundedCost(resultOf(action, value, before, minorUnits))
  const applied = { type: action.type, value: action.value, effect: describe(action, before, after, minorUnits) }
  return { action: applied, before, after }
}

/** `before` in minor units. */
export function runRule(rule: RunnableRule, fields: RuleFields, before: number, minorUnits: number): RuleRun {
  const condition_results = rule.conditions.map((condition) => evaluateCondition(condition, fields))
  const matched = condition_results.every((result) => result.matched)
  const steps: CostStep[] = []
  let cost = before
  for (const action of matched ? rule.actions : []) {
    const step = runAction(action, cost, minorUnits)
    steps.push(step)
    cost = step.after
  }
  return { matched, condition_results, steps, after: cost }
}

/** One rule over a hypothetical session; creates nothing. `baseCost` in the currency, bounded like any cost. */
export function evaluateRule(
  rule: RunnableRule,
  fields: RuleFields,
  baseCost: number,
  minorUnits: number,
): RuleEvaluation {
  const before = boundedCost(minorOf(Number.isFinite(baseCost) ? baseCost : 0, minorUnits))
  const run = runRule(rule, fields, before, minorUnits)
  return {
    rule_id: rule.rule_id,
    matched: run.matched,
    condition_results: run.condition_results,
    applied_actions: run.steps.map((step) => step.action),
    base_cost: amountOf(before, minorUnits),
    adjusted_cost: amountOf(run.after, minorUnits),
    difference: amountOf(run.after - before, minorUnits),
  }
}

/** The active ones, in the order in which they run: by priority, of equal ones the older first. */
export function inOrder<Rule extends Pick<RuleTerms, 'rule_id' | 'priority' | 'active' | 'created_at'>>(
  rules: readonly Rule[],
): Rule[] {
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return rules
    .filter((rule) => rule.active)
    .sort((a, b) => a.priority - b.priority || byText(a.created_at, b.created_at) || byText(a.rule_id, b.rule_id))
}
