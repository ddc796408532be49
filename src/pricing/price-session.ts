// What a session costs: a pure function of its facts, the tariff snapshot and the rules. It knows no clock and no store, so a running
// session, a dry run, the portal and the invoice get the same answer. No facts, snapshot or rules make it throw.
//
// Rounding, half up to the currency's minor unit, happens here only: (1) once for the subtotal, whose lines are apportioned so that
// they sum to it; (2) for the cost after each rule action; (3) once for the tax, which is taken of subtotal plus adjustments.
// The total is a sum and is not rounded: subtotal + adjustments + tax = total, always.

import { assert } from '../runtime/assert.js'
import { type BilledQuantity, billedQuantities } from './billed-quantities.js'
import { inOrder, runRule } from './evaluate-rule.js'
import { limits } from './limits.js'
import { dayOfWeekOf, type LocalTime, localTimeOf } from './local-time.js'
import { amountOf, apportion, Exact, roundedTo } from './money.js'
import { type PricingTrace, type TracedRule, traceOf } from './pricing-trace.js'
import type { RuleFields } from './rule-conditions.js'
import type { RuleTerms } from './rule-terms.js'
import { type MeasuredSession, measureSession, type SessionFacts } from './session-facts.js'
import type { TariffSnapshot } from './tariff-terms.js'

export interface CostLine {
  readonly type: 'energy' | 'time' | 'idle' | 'flat'
  readonly description: string
  /** Billed, that is after grace and step_size; hours to six decimals (the amount is of the exact seconds, see the trace). */
  readonly quantity: number
  readonly unit: 'kWh' | 'h' | 'session'
  readonly unit_price: number
  readonly amount: number
}

export interface CostAdjustment {
  readonly rule_id: string
  readonly name: string
  readonly effect: string
  readonly amount: number
}

/** Amounts in the currency, to its minor unit. */
export interface CostBreakdown {
  readonly session_id: string
  readonly currency: string
  readonly tariff_id: string
  readonly lines: readonly CostLine[]
  readonly adjustments: readonly CostAdjustment[]
  /** The sum of the lines, before adjustments and tax. */
  readonly subtotal: number
  readonly tax_percentage: number
  readonly tax: number
  readonly total: number
}

export interface PricedSession extends CostBreakdown {
  readonly trace: PricingTrace
}

const descriptions = { energy: 'Energy', time: 'Charging time', idle: 'Idle time', flat: 'Session fee' } as const
const units = { energy: 'kWh', time: 'h', idle: 'h', flat: 'session' } as const
/** mWh per kWh, ms per hour. */
const perUnit = { energy: 1_000_000, time: 3_600_000, idle: 3_600_000, flat: 1 } as const

/** In minor units, unrounded. */
function exactCost({ component, billed }: BilledQuantity, minorUnits: number): Exact {
  return new Exact(component.price)
    .times(billed)
    .times(10 ** minorUnits)
    .div(perUnit[component.type])
}

/** Sums beyond the bound would not be exact in a number: the last lines end there. */
function withinBound(amounts: readonly Exact[]): readonly Exact[] {
  let room = new Exact(limits.costMinorUnits)
  return amounts.map((amount) => {
    const within = Exact.min(amount, room)
    room = room.minus(within)
    return within
  })
}

function lineOf({ component, billed }: BilledQuantity, amount: number): CostLine {
  const quantity = Math.round((billed / perUnit[component.type]) * 1e6) / 1e6
  return {
    type: component.type,
    description: descriptions[component.type],
    quantity,
    unit: units[component.type],
    unit_price: component.price,
    amount,
  }
}

/** The names that conditions use. Energy is as measured, before step_size; base_cost is the subtotal, whatever earlier rules did. */
export function ruleFieldsOf(
  facts: SessionFacts,
  session: MeasuredSession,
  baseCost: number,
  local: LocalTime,
): RuleFields {
  return {
    energy_kwh: session.energy.milliwattHours / 1_000_000,
    duration_minutes: session.durationMs / 60_000,
    idle_minutes: session.idleMs / 60_000,
    start_hour: Math.floor(local.minuteOfDay / 60),
    day_of_week: dayOfWeekOf(local.day),
    id_tag: facts.idTag,
    charge_point_id: facts.chargePointId,
    site_id: facts.siteId,
    connector_id: facts.connectorId,
    base_cost: baseCost,
    stop_reason: facts.stopReason,
    auth_method: facts.authMethod,
  }
}

function runRules(rules: readonly RuleTerms[], fields: RuleFields, subtotal: number, minorUnits: number) {
  const adjustments: CostAdjustment[] = []
  const traced: TracedRule[] = []
  let cost = subtotal
  for (const rule of inOrder(rules)) {
    const run = runRule(rule, fields, cost, minorUnits)
    for (const { action, before, after } of run.steps) {
      if (before === after) continue
      const amount = amountOf(after - before, minorUnits)
      adjustments.push({ rule_id: rule.rule_id, name: rule.name, effect: action.effect, amount })
    }
    traced.push({
      rule_id: rule.rule_id,
      name: rule.name,
      priority: rule.priority,
      matched: run.matched,
      condition_results: run.condition_results,
      applied_actions: run.steps.map((step) => step.action),
      cost_before: amountOf(cost, minorUnits),
      cost_after: amountOf(run.after, minorUnits),
    })
    cost = run.after
  }
  return { adjustments, traced, cost }
}

/** Lines + adjustments = what is taxed, in minor units; with the tax, which is added as it is, they are the total. */
function assertAddsUp(
  parts: readonly number[],
  sum: number,
  adjustments: readonly CostAdjustment[],
  cost: number,
  minorUnits: number,
): void {
  let lines = 0
  for (const part of parts) {
    assert(Number.isInteger(part) && part >= 0, 'a line is a whole number of minor units, and not below 0', part)
    lines += part
  }
  assert(lines === sum, 'the lines add up to the subtotal', lines, sum)
  let adjusted = sum
  for (const { amount } of adjustments) adjusted += Math.round(amount * 10 ** minorUnits)
  assert(adjusted === cost && cost >= 0, 'subtotal and adjustments are what is taxed', adjusted, cost)
}

/** 0 to 100; the API takes no other. */
function boundedPercentage(percentage: number): number {
  return Number.isFinite(percentage) ? Math.max(0, Math.min(100, percentage)) : 0
}

/** `rules` in any order, inactive ones too. The same input gives the same output, field for field. */
export function priceSession(
  facts: SessionFacts,
  snapshot: TariffSnapshot,
  rules: readonly RuleTerms[],
): PricedSession {
  const minorUnits = Math.max(0, Math.min(4, Math.trunc(snapshot.minor_units) || 0))
  const session = measureSession(facts)
  const local = localTimeOf(session.startedAt, snapshot.time_zone)
  const { quantities, unused } = billedQuantities(snapshot.components, session)
  const exact = withinBound(quantities.map((quantity) => exactCost(quantity, minorUnits)))
  const { parts, sum } = apportion(exact)
  const baseCost = amountOf(sum, minorUnits)
  const { adjustments, traced, cost } = runRules(rules, ruleFieldsOf(facts, session, baseCost, local), sum, minorUnits)
  assertAddsUp(parts, sum, adjustments, cost, minorUnits)
  const taxPercentage = boundedPercentage(snapshot.tax_percentage)
  const exactTax = new Exact(taxPercentage).times(cost).div(100)
  const tax = roundedTo(exactTax, 0).toNumber()
  assert(tax >= 0 && tax <= cost, 'the tax is a part of what is paid', tax, cost)
  assert(Number.isSafeInteger(cost + tax), 'a total is exact', cost, tax)
  return {
    session_id: facts.sessionId,
    currency: snapshot.currency,
    tariff_id: snapshot.tariff_id,
    lines: quantities.map((quantity, index) => lineOf(quantity, amountOf(parts[index] as number, minorUnits))),
    adjustments,
    subtotal: baseCost,
    tax_percentage: taxPercentage,
    tax: amountOf(tax, minorUnits),
    total: amountOf(cost + tax, minorUnits),
    trace: traceOf({ facts, snapshot, session, local, quantities, unused, exact, exactTax, minorUnits, rules: traced }),
  }
}
