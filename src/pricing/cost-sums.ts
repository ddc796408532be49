// Sums of what sessions cost, exact whatever the currency: amounts are added as whole ten-thousandths (no currency has more than four
// decimals), energy as whole milliwatt-hours, and leave as numbers once.

import { assert } from '../runtime/assert.js'
import { amountOfWhole, wholeOf } from './money.js'
import type { PricedSession } from './price-session.js'

/** Amounts in the currency: subtotal + adjustments + tax = total. */
export interface CostAmounts {
  /** As measured. */
  readonly energy_wh: number
  readonly subtotal: number
  readonly adjustments: number
  readonly tax: number
  readonly total: number
}

export interface CostSums {
  count: number
  energy: bigint
  subtotal: bigint
  adjustments: bigint
  tax: bigint
  total: bigint
}

const amountDecimals = 4
const energyDecimals = 3
const exactBelow = 1e12

export function newSums(): CostSums {
  return { count: 0, energy: 0n, subtotal: 0n, adjustments: 0n, tax: 0n, total: 0n }
}

function whole(amount: number, decimals: number): bigint {
  const scaled = amount * 10 ** decimals
  // A month may have half a million sessions, and exact arithmetic costs fifty times as much. Below this size a product that comes out
  // whole is off by far less than a half.
  if (Number.isInteger(scaled) && Math.abs(scaled) < exactBelow) return BigInt(scaled)
  return wholeOf(amount, decimals)
}

function add(sums: CostSums, amounts: Omit<CostAmounts, 'adjustments'>, sign: 1n | -1n): void {
  const subtotal = whole(amounts.subtotal, amountDecimals)
  const tax = whole(amounts.tax, amountDecimals)
  const total = whole(amounts.total, amountDecimals)
  sums.energy += sign * whole(amounts.energy_wh, energyDecimals)
  sums.subtotal += sign * subtotal
  sums.adjustments += sign * (total - tax - subtotal)
  sums.tax += sign * tax
  sums.total += sign * total
}

/** One more session, or one more part of a bill. */
export function addAmounts(sums: CostSums, amounts: Omit<CostAmounts, 'adjustments'>): void {
  sums.count++
  add(sums, amounts, 1n)
}

/** Takes off what was billed before; the count stays. */
export function takeAmounts(sums: CostSums, amounts: CostAmounts): void {
  add(sums, amounts, -1n)
}

/** What a priced session brings into a sum. */
export function pricedAmounts({ subtotal, tax, total, trace }: PricedSession): Omit<CostAmounts, 'adjustments'> {
  return { energy_wh: trace.energy.measured_wh, subtotal, tax, total }
}

export function amountsOf(sums: CostSums): CostAmounts {
  const { subtotal, adjustments, tax, total } = sums
  assert(subtotal + adjustments + tax === total, 'subtotal, adjustments and tax are the total', total)
  return {
    energy_wh: amountOfWhole(sums.energy, energyDecimals),
    subtotal: amountOfWhole(sums.subtotal, amountDecimals),
    adjustments: amountOfWhole(sums.adjustments, amountDecimals),
    tax: amountOfWhole(sums.tax, amountDecimals),
    total: amountOfWhole(sums.total, amountDecimals),
  }
}
