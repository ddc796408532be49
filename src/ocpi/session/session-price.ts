// What a session costs as partners are told: exactly, to the four decimals of OCPI, and not to the minor unit of the currency. Rounded as a bill
// is (the net amount, then the tax of it; EN 16931, BR-CO-17), it is what the session is charged. Where it is not, as a billing rule or a
// dispute has changed the price, the amounts charged are the minimum and maximum price of the session's tariff.

import { billedQuantities } from '../../pricing/billed-quantities.js'
import { Exact, minorOf, roundedTo } from '../../pricing/money.js'
import type { PricedSession } from '../../pricing/price-session.js'
import type { RuleTerms } from '../../pricing/rule-terms.js'
import type { MeasuredSession } from '../../pricing/session-facts.js'
import type { TariffSnapshot } from '../../pricing/tariff-terms.js'
import type { Price } from '../schemas/common.js'
import { boundsOf, type PriceBounds, priceOf, taxOf } from '../tariff/price-bounds.js'
import { lengthOfAll, type Stretch } from './stretches.js'

export const dimensions = ['fixed', 'energy', 'time', 'parking'] as const
export type Dimension = (typeof dimensions)[number]

export interface SessionPrice {
  readonly total: Required<Price>
  /** Of those that the tariff has a price for, before a minimum or maximum price. */
  readonly costs: Partial<Record<Dimension, Required<Price>>>
  readonly bounds: PriceBounds
}

export interface ChargedSession {
  readonly priced: PricedSession
  /** Those that it was priced by. */
  readonly rules: readonly RuleTerms[]
}

const milliwattHoursPerKwh = 1_000_000
const msPerHour = 3_600_000

/** ms of idle time that is billed as time are told as parking. */
function timeAndParking(billedMs: number, stretches: readonly Stretch[]): { time: number; parking: number } {
  if (!stretches.some(({ isParked }) => isParked)) return { time: billedMs, parking: 0 }
  const time = lengthOfAll(stretches.filter(({ isParked }) => !isParked))
  return { time, parking: billedMs - time }
}

function netCosts(snapshot: TariffSnapshot, measured: MeasuredSession, stretches: readonly Stretch[]) {
  const { quantities } = billedQuantities(snapshot.components, measured)
  const billsIdle = quantities.some(({ component }) => component.type === 'idle')
  const costs = new Map<Dimension, Exact>()
  const cost = (price: number, billed: number, perUnit: number) => new Exact(price).times(billed).div(perUnit)
  for (const { component, billed } of quantities) {
    const { type, price } = component
    if (type === 'flat') costs.set('fixed', new Exact(price))
    else if (type === 'energy') costs.set('energy', cost(price, billed, milliwattHoursPerKwh))
    else if (type === 'idle') costs.set('parking', cost(price, billed, msPerHour))
    else {
      const { time, parking } = billsIdle ? { time: billed, parking: 0 } : timeAndParking(billed, stretches)
      costs.set('time', cost(price, time, msPerHour))
      if (!billsIdle) costs.set('parking', cost(price, parking, msPerHour))
    }
  }
  return costs
}

interface ExactPrice {
  readonly excl: Exact
  readonly incl: Exact
}

function withTax(excl: Exact, taxPercentage: number): ExactPrice {
  return { excl, incl: excl.times(new Exact(100).plus(taxPercentage)).div(100) }
}

function within(value: Exact, lowest: number | undefined, highest: number | undefined): Exact {
  const raised = lowest === undefined ? value : Exact.max(value, lowest)
  return highest === undefined ? raised : Exact.min(raised, highest)
}

function clamped({ excl, incl }: ExactPrice, { min_price, max_price }: PriceBounds): ExactPrice {
  return {
    excl: within(excl, min_price?.excl_vat, max_price?.excl_vat),
    incl: within(incl, min_price?.incl_vat, max_price?.incl_vat),
  }
}

function written({ excl, incl }: ExactPrice): Required<Price> {
  const number = (amount: Exact): number => roundedTo(amount, 4).toNumber()
  return { excl_vat: number(excl), incl_vat: number(incl) }
}

export function priceOfSession(
  snapshot: TariffSnapshot,
  measured: MeasuredSession,
  stretches: readonly Stretch[],
  { priced, rules }: ChargedSession,
): SessionPrice {
  const { tax_percentage } = priced
  const minorUnits = priced.trace.rounding.minor_units
  const costs = [...netCosts(snapshot, measured, stretches)].map(
    ([name, net]) => [name, withTax(net, tax_percentage)] as const,
  )
  const sum = costs.reduce((before, [, { excl }]) => before.plus(excl), new Exact(0))
  const bounds = boundsOf(rules, tax_percentage, minorUnits)
  const exact = clamped(withTax(sum, tax_percentage), bounds)
  const tax = minorOf(priced.tax, minorUnits)
  const net = minorOf(priced.total, minorUnits) - tax
  const isCharged = minorOf(exact.excl, minorUnits) === net && taxOf(net, tax_percentage) === tax
  const charged = priceOf(net, tax, minorUnits)
  return {
    total: isCharged ? written(exact) : charged,
    costs: Object.fromEntries(costs.map(([name, cost]) => [name, written(cost)])),
    bounds: isCharged ? bounds : { min_price: charged, max_price: charged },
  }
}
