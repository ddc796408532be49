import fc from 'fast-check'
import { test } from 'tap'
import { addItem, type Drafts, invoicesOf, itemOf } from '../../../src/actors/billing/month.js'
import { periodAfter, periodAround } from '../../../src/actors/billing/periods.js'
import { costliestSessionsSummed, limits } from '../../../src/pricing/limits.js'
import { Exact, wholeOf } from '../../../src/pricing/money.js'
import { type PricedSession, priceSession } from '../../../src/pricing/price-session.js'
import type { TaxOfRate } from '../../../src/pricing/tax-by-rate.js'
import type { InvoiceItem, UnnumberedInvoice } from '../../../src/records/invoice.js'
import type { SessionCost } from '../../../src/records/session-cost.js'
import { rules, sessions, tariffs, wildSessions } from '../../pricing/arbitraries.js'
import { component, session, snapshot, start } from '../../pricing/examples.js'

const endedAt = new Date(start).toISOString()

function costOf(sessionId: string, priced: PricedSession): SessionCost {
  return {
    session_id: sessionId,
    organization_id: 'org_1',
    charge_point_id: 'CP-1',
    ended_at: endedAt,
    tariff_snapshot: '',
    priced,
    rules: [],
    priced_at: endedAt,
  }
}

const whole = (amount: number): bigint => wholeOf(amount, 4)

/** EN 16931, BR-CO-17: the net of the rate times the rate, rounded to the minor unit. */
function isTaxOf({ tax_percentage, net, tax }: TaxOfRate, minorUnits: number): boolean {
  const difference = new Exact(net).times(tax_percentage).div(100).minus(tax).abs()
  return difference.times(10 ** minorUnits).lessThanOrEqualTo(0.5)
}

function draftsOf(count: number, priced: PricedSession): Drafts {
  const drafts: Drafts = new Map()
  for (let index = 0; index < count; index++) {
    const item = itemOf(costOf(`ses_${index}`, priced), [], periodAround(start, 'UTC'))
    if (item !== undefined) addItem(drafts, item, priced)
  }
  return drafts
}

function billed(drafts: Drafts): UnnumberedInvoice[] {
  const party = { name: '', country: '', contact_email: '' }
  const period = periodAround(start, 'UTC')
  const facts = {
    organizationId: 'org_1',
    period,
    timeZone: 'UTC',
    issuerId: 'org_1',
    issuer: party,
    recipient: party,
  }
  return invoicesOf(drafts, facts)
}

test('invoice - totals are the sums of its sessions and of its lines, a currency at a time', (t) => {
  const facts = fc.oneof(sessions, wildSessions)
  fc.assert(
    fc.property(fc.array(fc.tuple(facts, tariffs, rules), { maxLength: 25 }), (charges) => {
      const drafts: Drafts = new Map()
      const totals = new Map<string, bigint>()
      for (const [index, [session, tariff, applied]] of charges.entries()) {
        const priced = priceSession(session, tariff, applied)
        const item = itemOf(costOf(`ses_${index}`, priced), [], periodAround(start, 'UTC'))
        if (item === undefined) return false
        addItem(drafts, item, priced)
        totals.set(priced.currency, (totals.get(priced.currency) ?? 0n) + whole(priced.total))
      }
      return billed(drafts).every((invoice) => {
        const ofLines = invoice.lines.reduce((sum, line) => sum + whole(line.total), 0n)
        const { subtotal, adjustments, tax, rounding = 0, taxes = [], minor_units } = invoice
        const made = whole(subtotal) + whole(adjustments) + whole(tax) + whole(rounding)
        const total = whole(invoice.total)
        const byRate = taxes.every((rate) => isTaxOf(rate, minor_units))
        const nets = taxes.reduce((sum, { net }) => sum + whole(net), 0n) === whole(subtotal) + whole(adjustments)
        const sum = taxes.reduce((before, rate) => before + whole(rate.tax), 0n) === whole(tax)
        return total === totals.get(invoice.currency) && total === ofLines && total === made && byRate && nets && sum
      })
    }),
    { numRuns: 60 },
  )
  t.end()
})

test('invoice - however often a session is corrected, what was billed of it adds up to what it costs', (t) => {
  fc.assert(
    fc.property(tariffs, fc.array(fc.tuple(sessions, rules), { minLength: 1, maxLength: 6 }), (tariff, versions) => {
      const items: InvoiceItem[] = []
      let period = periodAround(start, 'UTC')
      let last: PricedSession | undefined
      for (const [session, applied] of versions) {
        last = priceSession(session, tariff, applied)
        const item = itemOf(costOf('ses_1', last), items, period)
        if (item !== undefined) items.push(item)
        if (itemOf(costOf('ses_1', last), items, period) !== undefined) return false
        period = periodAfter({ through: period.month, until: period.to }, 'UTC')
      }
      const sum = (field: 'total' | 'tax' | 'subtotal'): bigint =>
        items.reduce((before, item) => before + whole(item[field]), 0n)
      const kinds = items.map(({ type }) => type)
      if (kinds[0] !== 'sessions' || kinds.slice(1).some((kind) => kind !== 'corrections')) return false
      return (['total', 'tax', 'subtotal'] as const).every((field) => sum(field) === whole(last?.[field] ?? 0))
    }),
    { numRuns: 100 },
  )
  t.end()
})

test('invoice - tax is computed for each rate on the sum, and the difference to the single taxes is an amount of its own', (t) => {
  const priced = priceSession(session(3.33, 60), snapshot([component('energy', 1)], 19), [])
  t.match(billed(draftsOf(2, priced)), [
    { subtotal: 6.66, tax: 1.27, rounding: -0.01, total: 7.92, taxes: [{ tax_percentage: 19, net: 6.66, tax: 1.27 }] },
  ])
  t.end()
})

test('invoice - fifty sessions as dear as one can be are billed to the cent', (t) => {
  const tariff = snapshot([component('energy', 9_999.990_123), component('flat', 0.49)], 5.2)
  const priced = priceSession(session(9_999_999.987), tariff, [])
  const { costMinorUnits } = limits
  const count = costliestSessionsSummed
  t.ok(priced.subtotal * 100 > costMinorUnits * 0.99 && priced.subtotal * 100 < costMinorUnits, `${priced.subtotal}`)
  const [invoice] = billed(draftsOf(count, priced))
  t.equal(whole(invoice?.total ?? 0), whole(priced.total) * BigInt(count))
  t.equal(whole(invoice?.taxes?.[0]?.net ?? 0), whole(priced.subtotal) * BigInt(count))
  t.end()
})
