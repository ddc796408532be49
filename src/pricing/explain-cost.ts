// The way from nothing to the total of a session, step by step, made of what was stored when it was priced: each line, each action of a
// rule, what was agreed in a dispute, the tax. It computes no price: what a step adds is what was billed, and the steps add up to the total.

import { type AppliedAction, exactChange } from './evaluate-rule.js'
import { amountText, minorOf } from './money.js'
import type { PricedSession } from './price-session.js'
import { currencyText } from './pricing-trace.js'
import type { ConditionResult } from './rule-conditions.js'

export const billStepKinds = ['line', 'rule', 'dispute', 'tax'] as const
export type BillStepKind = (typeof billStepKinds)[number]

/** Amounts are decimals in the currency, as texts. */
export interface BillStep {
  readonly kind: BillStepKind
  /** What is billed, or the name of the rule. */
  readonly name: string
  /** Of a rule; the id of the dispute where a total was agreed. */
  readonly rule_id: string | null
  /** Of a line, its place among the lines of the breakdown and of the trace. */
  readonly line: number | null
  /** What an action did, in words. */
  readonly effect: string | null
  /** Before rounding. */
  readonly exact_amount: string
  /** What it adds to the bill, in whole minor units. */
  readonly amount: string
  /** The bill so far. */
  readonly sum: string
}

/** Of a rule that changed nothing: its conditions that did not hold, in words. */
export interface UnmatchedRule {
  readonly rule_id: string
  readonly name: string
  readonly priority: number
  readonly words: readonly string[]
}

type Step = Omit<BillStep, 'exact_amount' | 'amount' | 'sum'>

const about: Step = { kind: 'line', name: '', rule_id: null, line: null, effect: null }

/** The steps in the order in which they were taken: their amounts add up to the total. */
export function billSteps(priced: PricedSession): readonly BillStep[] {
  const { lines, adjustments, tax, tax_percentage, trace } = priced
  const { minor_units: minorUnits, exact_tax } = trace.rounding
  const steps: BillStep[] = []
  let sum = 0
  function add(step: Step, minor: number, exact: string | undefined): void {
    sum += minor
    const amount = amountText(minor, minorUnits)
    steps.push({ ...step, exact_amount: exact ?? amount, amount, sum: amountText(sum, minorUnits) })
  }
  for (const [line, { description, amount }] of lines.entries())
    add({ ...about, name: description, line }, minorOf(amount, minorUnits), trace.lines[line]?.exact_amount)
  let next = 0
  for (const { rule_id, name, applied_actions } of trace.rules)
    for (const action of applied_actions) {
      const adjustment = adjustments[next]
      // One that left the cost as it was has made no adjustment.
      const changed = adjustment?.rule_id === rule_id && adjustment.effect === action.effect
      const minor = changed ? minorOf(adjustment.amount, minorUnits) : 0
      if (changed) next++
      const step: Step = { ...about, kind: 'rule', name, rule_id, effect: action.effect }
      add(step, minor, exactOfAction(action, sum, minor, minorUnits))
    }
  const agreed = adjustments.slice(next)
  for (const { rule_id, name, effect, amount } of agreed)
    add({ ...about, kind: 'dispute', name, rule_id, effect }, minorOf(amount, minorUnits), undefined)
  // What was agreed contains its tax; the trace has the tax of before.
  const exactTax = agreed.length === 0 ? exact_tax : undefined
  add({ ...about, kind: 'tax', name: `Tax, ${tax_percentage}%` }, minorOf(tax, minorUnits), exactTax)
  return steps
}

/** Undefined where nothing was rounded, and where a bound has cut what the action would have made. */
function exactOfAction(action: AppliedAction, before: number, minor: number, minorUnits: number): string | undefined {
  const exact = exactChange(action, before)
  return exact?.minus(minor).abs().lessThan(1) === true ? currencyText(exact, minorUnits) : undefined
}

/** The rules that were active and whose conditions did not hold, in the order in which they would have run. */
export function unmatchedRules({ trace }: PricedSession): readonly UnmatchedRule[] {
  return trace.rules
    .filter(({ matched }) => !matched)
    .map(({ rule_id, name, priority, condition_results }) => ({
      rule_id,
      name,
      priority,
      words: condition_results.filter(({ matched }) => !matched).map(wordsOf),
    }))
}

const required: Readonly<Record<string, string>> = {
  eq: '',
  ne: 'anything but',
  gt: 'more than',
  gte: 'at least',
  lt: 'less than',
  lte: 'at most',
  in: 'one of',
  not_in: 'none of',
}

/** As people say them, with the unit. */
const fieldWords: Readonly<Record<string, readonly [name: string, unit?: string]>> = {
  energy_kwh: ['the energy', 'kWh'],
  duration_minutes: ['the duration', 'minutes'],
  idle_minutes: ['the idle time', 'minutes'],
  start_hour: ['the hour of the start'],
  day_of_week: ['the day of the week'],
  base_cost: ['the cost before rules'],
  id_tag: ['the id tag'],
  charge_point_id: ['the charge point'],
  site_id: ['the site'],
  connector_id: ['the connector'],
  stop_reason: ['the stop reason'],
  auth_method: ['the way of authorization'],
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function wordsOf({ field, operator, value, actual, reason }: ConditionResult): string {
  const listed = [value].flat()
  const [name, unit] = fieldWords[field] ?? [field]
  const withUnit = (text: string): string => (unit === undefined ? text : `${text} ${unit}`)
  const asked = withUnit(
    operator === 'between'
      ? `between ${listed.join(' and ')}`
      : `${required[operator] ?? operator} ${listed.join(', ')}`.trim(),
  )
  if (reason !== undefined) return `The rule asks for ${name} to be ${asked}, and ${reason}.`
  return sentence(`${name} was ${withUnit(String(actual))}, and the rule asks for ${asked}.`)
}
