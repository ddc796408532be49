// What billing rules make of a tariff for roaming partners. A minimum or maximum cost for every session is a minimum or maximum price of OCPI
// (2.2.1, 11.3.1); a rule that lowers the price of some sessions is told by their CDRs; any other makes the tariff one that OCPI cannot say.

import { inOrder } from '../../pricing/evaluate-rule.js'
import { limits } from '../../pricing/limits.js'
import { amountOf, Exact, minorOf, roundedTo } from '../../pricing/money.js'
import { evaluateCondition } from '../../pricing/rule-conditions.js'
import type { RuleAction, RuleTerms } from '../../pricing/rule-terms.js'
import type { Price } from '../schemas/common.js'
import type { Tariff } from '../schemas/tariff.js'

export type PriceBounds = Pick<Tariff, 'min_price' | 'max_price'>

/** How the driver of a partner can have been authorized (`auth_method`). */
const roamingAuthMethods = ['rfid', 'remote'] as const

function isUsable({ value }: RuleAction): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function isBound({ type }: RuleAction): boolean {
  return type === 'minimum_cost' || type === 'maximum_cost'
}

function canRaise({ type, value }: RuleAction): boolean {
  return type === 'set_total' || type === 'minimum_cost' || type.startsWith('surcharge_') ? value > 0 : false
}

function canChange(action: RuleAction): boolean {
  return action.type === 'set_total' || action.type === 'maximum_cost' || action.value > 0
}

function concernsPartners({ conditions }: RuleTerms): boolean {
  return conditions
    .filter(({ field }) => field === 'auth_method')
    .every((condition) =>
      roamingAuthMethods.some((auth_method) => evaluateCondition(condition, { auth_method }).matched),
    )
}

function isForAll({ conditions }: RuleTerms): boolean {
  return conditions.length === 0
}

/** Why the price of a session can be another than the tariff says; undefined where it is not. */
export function rulesReason(rules: readonly RuleTerms[]): string | undefined {
  for (const rule of inOrder(rules).filter(concernsPartners)) {
    const actions = rule.actions.filter((action) => isUsable(action) && canChange(action))
    if (isForAll(rule) && !actions.every(isBound))
      return `The billing rule "${rule.name}" changes the price of every session, which OCPI 2.2.1 cannot express.`
    if (!isForAll(rule) && actions.some(canRaise))
      return `The billing rule "${rule.name}" can raise the price of a session above that of the tariff, which OCPI 2.2.1 cannot express.`
  }
  return undefined
}

/** What every session costs at least and at most, with the tax that it is then charged. */
export function boundsOf(rules: readonly RuleTerms[], taxPercentage: number, minorUnits: number): PriceBounds {
  let [lowest, highest] = [0, Number.POSITIVE_INFINITY]
  for (const action of inOrder(rules)
    .filter(isForAll)
    .flatMap(({ actions }) => actions)) {
    if (!isUsable(action) || !isBound(action)) continue
    const cost = minorOf(Math.max(0, Math.min(limits.price, action.value)), minorUnits)
    const bound = action.type === 'minimum_cost' ? Math.max : Math.min
    lowest = bound(lowest, cost)
    highest = bound(highest, cost)
  }
  const price = (cost: number): Price => priceOf(cost, taxOf(cost, taxPercentage), minorUnits)
  return {
    ...(lowest > 0 && { min_price: price(lowest) }),
    ...(highest < Number.POSITIVE_INFINITY && { max_price: price(highest) }),
  }
}

/** As a session is charged: on the cost, rounded once. All in minor units. */
export function taxOf(cost: number, taxPercentage: number): number {
  return roundedTo(new Exact(taxPercentage).times(cost).div(100), 0).toNumber()
}

/** Of whole minor units. */
export function priceOf(cost: number, tax: number, minorUnits: number): Required<Price> {
  return { excl_vat: amountOf(cost, minorUnits), incl_vat: amountOf(cost + tax, minorUnits) }
}
