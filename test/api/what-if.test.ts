// Sessions under other terms: one of them, and all of a past period.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { auditTable } from '../../src/records/audit-entry.js'
import { sessionsTable } from '../../src/records/session.js'
import { sessionCostsTable } from '../../src/records/session-cost.js'
import { pastSession } from '../support/past-session.js'
import { runningSession, snapshotChange } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

const energyAt = (price: number, currency = 'EUR') => ({
  name: `Energy at ${price}`,
  currency,
  tax_percentage: 20,
  components: [{ type: 'energy', price }],
})

const half = {
  name: 'Half',
  priority: 1,
  conditions: [{ field: 'energy_kwh', operator: 'gte', value: 20 }],
  actions: [{ type: 'discount_percent', value: 50 }],
}

async function past(api: TestApi, kwh: number, endedAt = api.now() - 3_600_000): Promise<string> {
  await api.commit(...pastSession(api.newId, api.operator.organizationId, { endedAt, kwh }))
  return api.store.view().list(sessionsTable, [], { reverse: true, limit: 1 })[0]?.session_id ?? ''
}

const stored = (api: TestApi): string =>
  JSON.stringify([
    api.store.view().list(sessionsTable, []),
    api.store.view().list(sessionCostsTable, []),
    api.store.view().list(auditTable, []),
  ])

test('what if - other tariffs and rules, each with its breakdown and the difference, and nothing changes', async (t) => {
  const api = await createTestApi()
  const id = await past(api, 40)
  const made = await api.call('POST', '/api/v1/billing/tariffs', energyAt(0.25))
  const before = stored(api)
  const { status, body } = await api.call('POST', `/api/v1/sessions/${id}/what-if`, {
    variants: [
      { name: 'As it was', tariff: energyAt(0.5) },
      { tariff_id: made.body.tariff_id },
      { rules: [half] },
      { tariff: energyAt(1), rules: [half] },
      { tariff: energyAt(0.5, 'CHF') },
    ],
  })
  t.equal(status, 200)
  t.match(body, { session_id: id, final: true, total: '24.00', currency: 'EUR' })
  t.match(body.variants, [
    { name: 'As it was', total: '24.00', difference: '0.00' },
    {
      name: null,
      tariff_name: 'Energy at 0.25',
      total: '12.00',
      difference: '-12.00',
      breakdown: { subtotal: 10, tax: 2 },
    },
    { total: '12.00', difference: '-12.00', matched_rules: ['rules/0'], breakdown: { adjustments: [{ amount: -10 }] } },
    { total: '24.00', difference: '0.00' },
    { total: '24.00', difference: null },
  ])
  t.equal(stored(api), before)
})

test('what if - the band that the schedule would have named at the start', async (t) => {
  const api = await createTestApi()
  const id = await past(api, 10)
  const bands = [{ band: 'always', components: [{ type: 'energy', price: 2 }] }]
  const schedule = [{ band: 'always', start_time: '00:00', end_time: '00:00' }]
  const path = `/api/v1/sessions/${id}/what-if`
  const { body } = await api.call('POST', path, { variants: [{ tariff: { ...energyAt(0.5), bands, schedule } }] })
  t.match(body.variants, [{ band: 'always', total: '24.00', difference: '18.00' }])
  const unknown = { ...energyAt(0.5), bands, schedule: [{ ...schedule[0], band: 'never' }] }
  const refused = await api.call('POST', path, { variants: [{ tariff: energyAt(0.5) }, { tariff: unknown }] })
  t.match(refused, { status: 400, body: { error: { details: [{ path: '/variants/1/tariff/schedule/0/band' }] } } })
})

test('what if - a running session is priced as of now; one without a tariff needs one', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const running = runningSession({ organizationId, endedAt: new Date(api.now()).toISOString() })
  const {
    tariff_id: _,
    tariff_snapshot: __,
    currency: ___,
    ...free
  } = runningSession({
    organizationId,
    endedAt: new Date(api.now()).toISOString(),
  })
  await api.commit(snapshotChange(), putRow(sessionsTable, running), putRow(sessionsTable, free))
  const fee = { ...energyAt(1), components: [{ type: 'flat', price: 5 }] }
  const variants = [{ tariff: fee }]
  const { body } = await api.call('POST', `/api/v1/sessions/${running.session_id}/what-if`, { variants })
  t.match(body, { final: false, total: '0.42', variants: [{ total: '6.00', difference: '5.58' }] })
  const path = `/api/v1/sessions/${free.session_id}/what-if`
  t.match((await api.call('POST', path, { variants })).body, {
    total: null,
    variants: [{ total: '6.00', difference: null }],
  })
  t.equal((await api.call('POST', path, { variants: [{ rules: [] }] })).status, 400)
})

test('what if - at most eight variants, each with something else; nothing of another organization', async (t) => {
  const api = await createTestApi()
  const id = await past(api, 10)
  const path = `/api/v1/sessions/${id}/what-if`
  const ask = async (variants: readonly object[], caller?: Parameters<TestApi['call']>[3]) =>
    (await api.call('POST', path, { variants }, caller)).status
  const one = { tariff: energyAt(0.3) }
  t.equal(await ask(Array.from({ length: 8 }, () => one)), 200)
  t.equal(await ask(Array.from({ length: 9 }, () => one)), 400)
  t.equal(await ask([]), 400)
  t.equal(await ask([{ name: 'nothing' }]), 400)
  t.equal(await ask([{ ...one, tariff_id: 'trf_1' }]), 400)
  t.equal(await ask([{ tariff: { ...energyAt(1), currency: 'XYZ' } }]), 400)
  const another = await api.addOrganization()
  const foreign = await api.call('POST', '/api/v1/billing/tariffs', energyAt(0.25), another)
  t.equal(await ask([{ tariff_id: foreign.body.tariff_id }]), 400)
  t.equal(await ask([one], another), 404)
})

test('simulate a tariff - the sessions of a period under it, by currency, with the same cuts as rules', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const start = Date.parse('2026-10-01T00:00:00.000Z')
  const period = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' }
  for (const [at, kwh] of [10, 20, 40].entries())
    await api.commit(...pastSession(api.newId, organizationId, { endedAt: start + at, kwh }))
  await api.commit(...pastSession(api.newId, organizationId, { endedAt: start + 9, kwh: 30, currency: 'JPY' }))
  const before = stored(api)
  const path = '/api/v1/billing/tariffs/simulate'
  const { status, body } = await api.call('POST', path, { tariff: energyAt(0.25), ...period })
  t.equal(status, 200)
  t.match(body.sessions, [
    { cost: 6, simulated_cost: 3, difference: -3 },
    { cost: 12, simulated_cost: 6 },
    { cost: 24, simulated_cost: 12 },
  ])
  t.same(body.totals, [
    { currency: 'EUR', sessions: 3, changed_sessions: 3, cost: 42, simulated_cost: 21, difference: -21 },
  ])
  t.match(body, { total: 3, sessions_covered: 3, sessions_skipped: 1, cut: false, next_cursor: null })
  const page = await api.call('POST', path, { tariff: energyAt(0.25), ...period, per_page: 2, page: 2 })
  t.equal(page.body.sessions.length, 1)
  const same = await api.call('POST', path, { tariff: energyAt(0.5), ...period, changed_only: true })
  t.match(same.body, { sessions: [], total: 0, sessions_covered: 3 })
  const others = await api.call('POST', path, { tariff: energyAt(1), ...period, sessions_of_tariff_id: 'trf_none' })
  t.match(others.body, { total: 0, sessions_covered: 0, sessions_skipped: 0 })
  t.equal((await api.call('POST', path, period)).status, 400)
  t.equal((await api.call('POST', path, { tariff: energyAt(1), from: period.to, to: period.from })).status, 400)
  t.equal(stored(api), before)
})

test('what if - what was agreed in a dispute is no change of price: an unchanged tariff changes nothing', async (t) => {
  const api = await createTestApi()
  const endedAt = Date.parse('2026-10-05T00:00:00.000Z')
  const id = await past(api, 40, endedAt)
  await api.commit(...pastSession(api.newId, api.operator.organizationId, { endedAt: endedAt + 1, kwh: 10 }))
  const opened = await api.call('POST', `/api/v1/portal/sessions/${id}/dispute`, { reason: 'it was slow' })
  const accepted = { status: 'accepted', amount: 20 }
  await api.call('PATCH', `/api/v1/billing/disputes/${opened.body.dispute_id}`, accepted)

  const variants = [{ tariff: energyAt(0.5) }, { rules: [half] }]
  t.match((await api.call('POST', `/api/v1/sessions/${id}/what-if`, { variants })).body, {
    total: '24.00',
    agreed_total: '20.00',
    variants: [
      { total: '24.00', difference: '0.00' },
      { total: '12.00', difference: '-12.00' },
    ],
  })
  const period = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' }
  const unchanged = [{ currency: 'EUR', sessions: 2, changed_sessions: 0, cost: 30, simulated_cost: 30, difference: 0 }]
  const tariff = await api.call('POST', '/api/v1/billing/tariffs/simulate', { tariff: energyAt(0.5), ...period })
  t.same(tariff.body.totals, unchanged)
  const rules = await api.call('POST', '/api/v1/billing/rules/simulate', { rules: [], ...period })
  t.same(rules.body.totals, unchanged)
})
