// Money as whole minor units of a currency (cents, yen, fils), and exact decimals on the way there.
// A sum of minor units within the bounds of limits.ts is exact in a number; only rounding makes one from a decimal.

import { Decimal } from 'decimal.js'

/** Wide enough that no price times quantity is cut; half up, as decided for money. What is divided may go on: see `settled`. */
export const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -80, toExpPos: 80 })
export type Exact = Decimal

const settledDecimals = 50

/**
 * The decimal that a sum of quotients is, where it is one. Thirds of an hour are cut after the last digit, so parts of exactly a half may add up
 * to 0.4999…; two amounts that prices of 17 digits and whole milliseconds can come to are never as near to each other as that.
 */
export function settled(amount: Exact): Exact {
  return amount.toDecimalPlaces(settledDecimals)
}

/** Half up. */
export function roundedTo(amount: Exact, decimals: number): Exact {
  return settled(amount).toDecimalPlaces(decimals)
}

/** ISO 4217's currencies without two decimals. Not taken from Intl: its table is CLDR's, which has forints without fillér. */
const minorUnitsByCurrency: ReadonlyMap<string, number> = new Map([
  ...[
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'ISK',
    'JPY',
    'KMF',
    'KRW',
    'PYG',
    'RWF',
    'UGX',
    'UYI',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ].map((currency): [string, number] => [currency, 0]),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((currency): [string, number] => [currency, 3]),
  ...['CLF', 'UYW'].map((currency): [string, number] => [currency, 4]),
])

/** Decimals of a currency (ISO 4217): 2 where the standard names no other number. */
export function minorUnitsOf(currency: string): number {
  return minorUnitsByCurrency.get(currency.toUpperCase()) ?? 2
}

/** An amount of money as it leaves: the double nearest to the decimal, which prints as that decimal. */
export function amountOf(minor: number, minorUnits: number): number {
  return minor / 10 ** minorUnits
}

/** Rounded half up to whole minor units. */
export function minorOf(amount: number | Exact, minorUnits: number): number {
  return roundedTo(new Exact(amount).times(10 ** minorUnits), 0).toNumber()
}

/** Rounded half up to whole parts of 10^-decimals, exact however large. */
export function wholeOf(amount: number | Exact, decimals: number): bigint {
  return BigInt(roundedTo(new Exact(amount).times(10 ** decimals), 0).toFixed())
}

/** The double nearest to so many parts of 10^-decimals, however large. */
export function amountOfWhole(whole: bigint, decimals: number): number {
  const parts = Number(whole)
  return Number.isSafeInteger(parts)
    ? amountOf(parts, decimals)
    : new Exact(whole.toString()).div(10 ** decimals).toNumber()
}

export function amountText(minor: number, minorUnits: number): string {
  return amountOf(minor, minorUnits).toFixed(minorUnits)
}

/**
 * Whole parts whose sum is the rounded sum of `exact` (non-negative, in minor units): the sum is rounded once, half up, and what the
 * parts' own fractions leave over goes to the largest fractions, the first of equal ones. A single part is simply rounded.
 */
export function apportion(exact: readonly Exact[]): { readonly parts: readonly number[]; readonly sum: number } {
  let total = new Exact(0)
  for (const amount of exact) total = total.plus(amount)
  const sum = roundedTo(total, 0).toNumber()
  const parts = exact.map((amount) => settled(amount).floor().toNumber())
  let left = sum - parts.reduce((before, part) => before + part, 0)
  if (left === 0) return { parts, sum }
  const fractions = exact.map((amount, index) => ({ index, fraction: amount.minus(parts[index] as number) }))
  fractions.sort((a, b) => b.fraction.comparedTo(a.fraction) || a.index - b.index)
  for (const { index } of fractions) {
    if (left === 0) break
    parts[index] = (parts[index] as number) + 1
    left--
  }
  return { parts, sum }
}
