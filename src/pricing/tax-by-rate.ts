// The tax of an invoice: of each rate on the sum of its net amounts, rounded once, half up (EN 16931, BR-CO-17). What sessions cost is
// tax included and each rounded on its own; the difference is an amount of its own (EN 16931, BT-114), so that totals stay.

import { amountOf, amountOfWhole, Exact, minorOf, wholeOf } from './money.js'

/** Amounts of a currency have at most four decimals. */
const decimals = 4

/** Tax of one rate, computed on the sum of the net amounts (EN 16931, BR-CO-17). */
export interface TaxOfRate {
  readonly tax_percentage: number
  readonly net: number
  readonly tax: number
}

interface Taxed {
  readonly tax_percentage: number
  readonly tax: number
  readonly total: number
}

/** What each rate was taken of, and what the sessions' taxes come to; the lowest rate first. */
export function sessionTaxes(lines: readonly Taxed[]): TaxOfRate[] {
  const byRate = new Map<number, { net: bigint; tax: bigint }>()
  for (const { tax_percentage, tax, total } of lines) {
    const { net, tax: before } = byRate.get(tax_percentage) ?? { net: 0n, tax: 0n }
    const [wholeTax, wholeTotal] = [wholeOf(tax, decimals), wholeOf(total, decimals)]
    byRate.set(tax_percentage, { net: net + wholeTotal - wholeTax, tax: before + wholeTax })
  }
  return [...byRate]
    .sort(([one], [other]) => one - other)
    .map(([tax_percentage, { net, tax }]) => ({
      tax_percentage,
      net: amountOfWhole(net, decimals),
      tax: amountOfWhole(tax, decimals),
    }))
}

export interface TaxedByRate {
  readonly taxes: readonly TaxOfRate[]
  readonly tax: number
  readonly rounding: number
}

export function taxedByRate(lines: readonly Taxed[], minorUnits: number): TaxedByRate {
  const ofSessions = sessionTaxes(lines)
  const taxes = ofSessions.map(({ tax_percentage, net }) => {
    const tax = minorOf(new Exact(net).times(tax_percentage).div(100), minorUnits)
    return { tax_percentage, net, tax: amountOf(tax, minorUnits) }
  })
  const sum = (rates: readonly TaxOfRate[]) => rates.reduce((before, { tax }) => before + wholeOf(tax, decimals), 0n)
  const tax = sum(taxes)
  return { taxes, tax: amountOfWhole(tax, decimals), rounding: amountOfWhole(sum(ofSessions) - tax, decimals) }
}
