import { test } from 'tap'
import { itemOf } from '../../src/actors/billing/month.js'
import { periodAround } from '../../src/actors/billing/periods.js'
import { tellDueOrganizations } from '../../src/process/period-clock.js'
import { invoiceItemsTable, invoicesTable, unnumberedInvoicesTable } from '../../src/records/invoice.js'
import { organizationsTable } from '../../src/records/organization.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { component, snapshot } from '../pricing/examples.js'
import { billedSession, type Charge } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

const dayMs = 24 * 3_600_000

interface Month {
  readonly name: string
  /** ISO 8601, the day counted from 0. */
  day(day: number): string
}

/** The month so many months before this one, in UTC. */
function monthBefore(api: TestApi, months: number): Month {
  const now = new Date(api.now())
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)
  return {
    name: new Date(start).toISOString().slice(0, 7),
    day: (day) => new Date(start + day * dayMs + dayMs / 2).toISOString(),
  }
}

/** The 15th of the next month: what is over has been over for days, whenever the test runs. */
async function inMidMonth(): Promise<TestApi> {
  const api = await createTestApi()
  const now = new Date(api.now())
  await api.pass(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12) - now.getTime())
  return api
}

async function charge(api: TestApi, endedAt: string, more: Partial<Charge> = {}) {
  const { session, cost, changes } = billedSession({ organizationId: api.operator.organizationId, endedAt, ...more })
  await api.commit(...changes)
  return { id: session.session_id, total: cost.priced.total }
}

async function look(api: TestApi): Promise<void> {
  await tellDueOrganizations({ view: api.store.view, tell: api.services.tell, now: api.now })
  for (let turn = 0; turn < 40; turn++) await api.settled()
}

const invoices = async (api: TestApi, query = '') => (await api.call('GET', `/api/v1/billing/invoices${query}`)).body
const ready = (api: TestApi) =>
  api.store
    .view()
    .list(outboxTable, [])
    .filter(({ event }) => event === 'billing.invoice_ready')

test('invoices - the months that are over are invoiced, each once, with the sums of their sessions', async (t) => {
  const api = await inMidMonth()
  const [older, newer] = [monthBefore(api, 2), monthBefore(api, 1)]
  let cents = 0
  for (let index = 0; index < 450; index++) {
    const { total } = await charge(api, older.day(index % 28), { energyWh: 37 * index })
    cents += Math.round(100 * total)
  }
  await charge(api, newer.day(3))
  await charge(api, new Date(api.now()).toISOString())
  await look(api)
  await look(api)
  const { data, total } = await invoices(api)
  t.equal(total, 2)
  t.match(data, [
    { month: newer.name, number: 'INV-000002', count: 1, currency: 'EUR', total: 6.25 },
    {
      month: older.name,
      number: 'INV-000001',
      count: 450,
      total: cents / 100,
      lines: [{ type: 'sessions', count: 450 }],
    },
  ])
  t.match(
    ready(api).map((event) => event.data),
    [{ month: older.name, total: cents / 100 }, { number: 'INV-000002' }],
  )
  t.equal((await invoices(api, `?month=${older.name}`)).total, 1)
  const { invoice_id: id } = data[1]
  const listed = await api.call('GET', `/api/v1/billing/invoices/${id}/sessions?per_page=1000`)
  t.equal(listed.body.total, 450)
  const sum = listed.body.data.reduce(
    (before: number, item: { total: number }) => before + Math.round(100 * item.total),
    0,
  )
  t.equal(sum, cents)
  t.equal((await api.call('GET', `/api/v1/billing/invoices/${id}`)).body.total, cents / 100)
})

test('invoices - each currency has its own, and each tax rate its line', async (t) => {
  const api = await inMidMonth()
  const month = monthBefore(api, 1)
  await charge(api, month.day(1), { tariff: snapshot([component('energy', 50)], 10, 'JPY') })
  await charge(api, month.day(2), { tariff: snapshot([component('energy', 0.5)], 7) })
  await charge(api, month.day(3), { tariff: snapshot([component('energy', 0.5)], 19) })
  await look(api)
  const { data } = await invoices(api)
  t.match(data, [
    { currency: 'JPY', number: 'INV-000002', total: 550 },
    {
      currency: 'EUR',
      number: 'INV-000001',
      total: 11.3,
      lines: [
        { tax_percentage: 7, tax: 0.35 },
        { tax_percentage: 19, tax: 0.95 },
      ],
      taxes: [
        { tax_percentage: 7, net: 5, tax: 0.35 },
        { tax_percentage: 19, net: 5, tax: 0.95 },
      ],
      rounding: 0,
    },
  ])
})

test('invoices - numbers are those of the issuer: whoever is billed, no two are the same and none is left out', async (t) => {
  const api = await inMidMonth()
  const organizations = [api.operator, ...(await Promise.all([1, 2, 3].map(() => api.addOrganization())))]
  for (const { organizationId } of organizations) {
    await charge(api, monthBefore(api, 2).day(1), { organizationId })
    await charge(api, monthBefore(api, 1).day(1), { organizationId })
    await charge(api, monthBefore(api, 1).day(2), {
      organizationId,
      tariff: snapshot([component('energy', 50)], 10, 'JPY'),
    })
  }
  await look(api)
  await look(api)
  const listed = await Promise.all(
    organizations.map(async (caller) => (await api.call('GET', '/api/v1/billing/invoices', undefined, caller)).body),
  )
  const numbers = listed.flatMap(({ data }) => data.map(({ number }: { number: string }) => number)).sort()
  t.same(
    numbers,
    Array.from({ length: 12 }, (_, index) => `INV-${String(index + 1).padStart(6, '0')}`),
  )
  t.same(
    ready(api).map(({ data, organizationId }) => [data.number, organizationId]),
    api.store
      .view()
      .list(invoicesTable, [])
      .sort((one, other) => (one.number < other.number ? -1 : 1))
      .map(({ number, organization_id }) => [number, organization_id]),
    'each organization is told of its own, in the order of the numbers',
  )
})

test('invoices - what waited for its number when the service ended is numbered afterwards, once', async (t) => {
  const api = await inMidMonth()
  const month = monthBefore(api, 1)
  await charge(api, month.day(1))
  await look(api)
  const numbered = api.store.view().list(invoicesTable, [])[0]
  if (numbered === undefined) throw new Error('there is no invoice')
  const { organizationId } = await api.addOrganization()
  const { number: _, issued_at: __, ...waiting } = { ...numbered, issuer_id: api.operator.organizationId }
  await api.put(unnumberedInvoicesTable, { ...waiting, organization_id: organizationId, invoice_id: 'bil_waits' })
  await Promise.all([look(api), look(api)])
  t.match(api.store.view().get(invoicesTable, ['bil_waits']), { number: 'INV-000002', organization_id: organizationId })
  t.equal(api.store.view().list(unnumberedInvoicesTable, []).length, 0)
  t.equal(ready(api).length, 2)
})

test('invoices - what changes after the month is closed is on the next one', async (t) => {
  const api = await inMidMonth()
  const [older, newer] = [monthBefore(api, 2), monthBefore(api, 1)]
  const { id } = await charge(api, older.day(1), { energyWh: 10_000 })
  await look(api)
  t.equal((await invoices(api)).total, 1)
  const { data: before } = await invoices(api)
  await charge(api, older.day(1), { sessionId: id, energyWh: 6_000, pricedAt: new Date(api.now()).toISOString() })
  await charge(api, older.day(5), { energyWh: 10_000, pricedAt: new Date(api.now()).toISOString() })
  await charge(api, newer.day(5), { pricedAt: new Date(api.now()).toISOString() })
  await api.pass(40 * dayMs)
  await look(api)
  const { data, total } = await invoices(api)
  t.equal(total, 2)
  t.same(data[1], before[0], 'an invoice is never changed')
  t.match(
    data[0].lines.map((line: { type: string; count: number; total: number }) => [line.type, line.count, line.total]),
    [
      ['late_sessions', 2, 12.5],
      ['corrections', 1, -2.33],
    ],
  )
  t.equal(data[0].total, 10.17)
  await api.pass(31 * dayMs)
  await look(api)
  t.equal((await invoices(api)).total, 2, 'and it is billed once')
})

test('invoices - what an accepted dispute takes off a session that was invoiced is a line of the next invoice', async (t) => {
  const api = await inMidMonth()
  const { id } = await charge(api, monthBefore(api, 1).day(1))
  await look(api)
  const { data: before } = await invoices(api)
  t.match(before, [{ total: 6.25, tax: 1 }])
  const { body } = await api.call('POST', `/api/v1/portal/sessions/${id}/dispute`, { reason: 'it was idle' })
  const path = `/api/v1/billing/disputes/${body.dispute_id}`
  t.match(await api.call('PATCH', path, { status: 'accepted', amount: 4.5 }), { status: 200 })
  await api.pass(31 * dayMs)
  await look(api)
  const { data, total } = await invoices(api)
  t.equal(total, 2)
  t.same(data[1], before[0], 'the invoice that had the session stays as it was')
  // 6.25 with 1.00 of tax at 19 % before, 4.50 with 0.72 from then on.
  t.match(data[0], { total: -1.75, tax: -0.28, lines: [{ type: 'corrections', count: 1, total: -1.75 }] })
  t.equal(data[0].lines.length, 1)
  const { body: items } = await api.call('GET', `/api/v1/billing/invoices/${data[0].invoice_id}/sessions`)
  t.match(items.data, [{ session_id: id, total: -1.75 }])
  await api.pass(31 * dayMs)
  await look(api)
  t.equal((await invoices(api)).total, 2, 'and it is billed once')
})

test('invoices - what an attempt left that was cut short is not billed', async (t) => {
  const api = await inMidMonth()
  const month = monthBefore(api, 1)
  for (let index = 0; index < 250; index++) await charge(api, month.day(index % 28))
  const { changes, cost } = billedSession({ organizationId: api.operator.organizationId, endedAt: month.day(27) })
  await api.commit(...changes)
  const left = itemOf(cost, [], periodAround(Date.parse(cost.ended_at), 'UTC'))
  if (left === undefined) throw new Error('a session that was not billed has an item')
  await api.put(invoiceItemsTable, left)
  // Before the next attempt it turns out to have ended in this month.
  await charge(api, new Date(api.now()).toISOString(), { sessionId: cost.session_id })
  await look(api)
  const { data, total } = await invoices(api)
  t.match({ data, total }, { total: 1, data: [{ count: 250, total: 250 * 6.25 }] })
  const listed = await api.call('GET', `/api/v1/billing/invoices/${data[0].invoice_id}/sessions?per_page=1000`)
  t.equal(listed.body.data.length, 250)
  t.equal(ready(api).length, 1)
})

test('invoices - a month begins and ends by the clock of the organization', async (t) => {
  const api = await inMidMonth()
  const organization = api.store.view().get(organizationsTable, [api.operator.organizationId])
  if (organization === undefined) throw new Error('the fixture has no organization')
  await api.put(organizationsTable, { ...organization, time_zone: 'Pacific/Auckland' })
  const month = monthBefore(api, 1)
  // Noon of the day before in UTC is the first of the month in Auckland.
  await charge(api, month.day(-1))
  await charge(api, monthBefore(api, 0).day(-1))
  await look(api)
  t.match(await invoices(api), { total: 1, data: [{ month: month.name, count: 1, time_zone: 'Pacific/Auckland' }] })
})

test('invoices - they are of their organization alone, and can be printed', async (t) => {
  const api = await inMidMonth()
  await charge(api, monthBefore(api, 1).day(1))
  await look(api)
  const { data } = await invoices(api)
  const another = await api.addOrganization()
  for (const part of ['', '/sessions', '/pdf']) {
    const path = `/api/v1/billing/invoices/${data[0].invoice_id}${part}`
    t.equal((await api.call('GET', path)).status, 200)
    t.equal((await api.call('GET', path, undefined, another)).status, 404)
  }
  const pdf = await api.call('GET', `/api/v1/billing/invoices/${data[0].invoice_id}/pdf`)
  t.match(pdf.headers, { 'Content-Type': 'application/pdf' })
  t.match(pdf.body, /^%PDF-/)
})
