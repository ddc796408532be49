// A month that is being closed: what has been put on its invoices so far. Pure; the actor reads the sessions and writes what comes of them.

import {
  addAmounts,
  amountsOf,
  type CostAmounts,
  type CostSums,
  newSums,
  pricedAmounts,
  takeAmounts,
} from '../../pricing/cost-sums.js'
import type { PricedSession } from '../../pricing/price-session.js'
import { taxedByRate } from '../../pricing/tax-by-rate.js'
import type { InvoiceItem, InvoiceLine, InvoiceLineType, UnnumberedInvoice } from '../../records/invoice.js'
import { type Issuer, paperLayout } from '../../records/issuer.js'
import type { SessionCost } from '../../records/session-cost.js'
import { assert } from '../../runtime/assert.js'
import type { Period } from './periods.js'

interface Line {
  readonly type: InvoiceLineType
  readonly tariffId: string
  readonly tariffName: string
  readonly taxPercentage: number
  readonly sums: CostSums
}

interface Draft {
  readonly sums: CostSums
  readonly lines: Map<string, Line>
  minorUnits: number
}

/** By currency. */
export type Drafts = Map<string, Draft>

/** Made of what the invoice is of: a closing that is done again finds the same. */
export function invoiceIdOf(organizationId: string, month: string, currency: string): string {
  return `bil_${organizationId.replace(/^org_/, '')}_${month}_${currency}`
}

/** What a session adds to the month; undefined where it was billed before and has not changed. */
export function itemOf(cost: SessionCost, billed: readonly InvoiceItem[], period: Period): InvoiceItem | undefined {
  const { priced } = cost
  const before = billed.filter(({ currency }) => currency === priced.currency)
  const sums = newSums()
  addAmounts(sums, pricedAmounts(priced))
  for (const item of before) takeAmounts(sums, item)
  const amounts = amountsOf(sums)
  if (before.length > 0 && isNothing(amounts)) return undefined
  const late = Date.parse(cost.ended_at) < period.from
  return {
    invoice_id: invoiceIdOf(cost.organization_id, period.month, priced.currency),
    session_id: cost.session_id,
    organization_id: cost.organization_id,
    month: period.month,
    type: before.length > 0 ? 'corrections' : late ? 'late_sessions' : 'sessions',
    charge_point_id: cost.charge_point_id,
    ended_at: cost.ended_at,
    currency: priced.currency,
    tariff_id: priced.tariff_id,
    tax_percentage: priced.tax_percentage,
    ...amounts,
  }
}

function isNothing({ energy_wh, subtotal, adjustments, tax, total }: CostAmounts): boolean {
  return energy_wh === 0 && subtotal === 0 && adjustments === 0 && tax === 0 && total === 0
}

export function addItem(drafts: Drafts, item: InvoiceItem, { trace }: PricedSession): void {
  const draft = draftOf(drafts, item.currency)
  draft.minorUnits = Math.max(draft.minorUnits, trace.rounding.minor_units)
  addAmounts(draft.sums, item)
  addAmounts(lineOf(draft, item, trace.tariff.name).sums, item)
}

function draftOf(drafts: Drafts, currency: string): Draft {
  let draft = drafts.get(currency)
  if (draft === undefined) {
    draft = { sums: newSums(), lines: new Map(), minorUnits: 0 }
    drafts.set(currency, draft)
  }
  return draft
}

/** A tariff that was renamed in the month has the name of its newest session. */
function lineOf({ lines }: Draft, item: InvoiceItem, tariffName: string): Line {
  const name = JSON.stringify([item.type, item.tariff_id, item.tax_percentage])
  let line = lines.get(name)
  if (line === undefined) {
    const { type, tariff_id: tariffId, tax_percentage: taxPercentage } = item
    line = { type, tariffId, tariffName, taxPercentage, sums: newSums() }
    lines.set(name, line)
  }
  return line
}

export interface InvoiceFacts {
  readonly organizationId: string
  readonly period: Period
  readonly timeZone: string
  readonly issuerId: string
  readonly issuer: Issuer
  readonly recipient: Issuer
}

const lineOrder: readonly InvoiceLineType[] = ['sessions', 'late_sessions', 'corrections']

function inOrder(a: InvoiceLine, b: InvoiceLine): number {
  const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
  return (
    lineOrder.indexOf(a.type) - lineOrder.indexOf(b.type) ||
    byText(a.tariff_name, b.tariff_name) ||
    byText(a.tariff_id, b.tariff_id) ||
    a.tax_percentage - b.tax_percentage
  )
}

/** What stands on the lines is what is billed. */
function assertSum(sums: CostSums, lines: readonly Line[]): void {
  const ofLines = newSums()
  for (const { sums: line } of lines) {
    ofLines.count += line.count
    ofLines.energy += line.energy
    ofLines.total += line.total
    ofLines.tax += line.tax
  }
  assert(ofLines.count === sums.count, 'each session is on a line of its invoice', ofLines.count, sums.count)
  assert(ofLines.energy === sums.energy, 'the lines are of the energy of an invoice', ofLines.energy, sums.energy)
  assert(ofLines.total === sums.total, 'the lines add up to the invoice', ofLines.total, sums.total)
  assert(ofLines.tax === sums.tax, 'the taxes of the lines add up to those of the invoice', ofLines.tax, sums.tax)
}

/** One invoice a currency, in the order of their codes; none for a month without sessions. */
export function invoicesOf(drafts: Drafts, facts: InvoiceFacts): UnnumberedInvoice[] {
  const { organizationId, period, timeZone, issuerId, issuer, recipient } = facts
  return [...drafts.keys()].sort().map((currency) => {
    const { sums, lines: drafted, minorUnits } = drafts.get(currency) as Draft
    assertSum(sums, [...drafted.values()])
    const lines = [...drafted.values()]
      .map(({ type, tariffId, tariffName, taxPercentage, sums: ofLine }): InvoiceLine => {
        const named = { type, tariff_id: tariffId, tariff_name: tariffName, tax_percentage: taxPercentage }
        return { ...named, count: ofLine.count, ...amountsOf(ofLine) }
      })
      .sort(inOrder)
    return {
      invoice_id: invoiceIdOf(organizationId, period.month, currency),
      organization_id: organizationId,
      month: period.month,
      period_from: new Date(period.from).toISOString(),
      period_to: new Date(period.to).toISOString(),
      time_zone: timeZone,
      currency,
      minor_units: minorUnits,
      issuer_id: issuerId,
      issuer,
      recipient,
      count: sums.count,
      layout: paperLayout,
      lines,
      ...amountsOf(sums),
      ...taxedByRate(lines, minorUnits),
    }
  })
}
