import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { sessionsTable } from '../../src/records/session.js'
import { billedSession, runningSession, snapshotChange, tariff } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

/** ISO 8601, so many hours before now. */
const hoursAgo = (api: TestApi, hours: number): string => new Date(api.now() - hours * 3_600_000).toISOString()

async function charged(api: TestApi, energyWh = 10_000, hours = 1): Promise<string> {
  const { organizationId } = api.operator
  const { session, changes } = billedSession({ organizationId, endedAt: hoursAgo(api, hours), energyWh })
  await api.commit(...changes)
  return session.session_id
}

async function charging(api: TestApi, priced = true): Promise<string> {
  const { organizationId } = api.operator
  const session = runningSession({ organizationId, endedAt: hoursAgo(api, 0) })
  const { tariff_id: _, tariff_snapshot: __, currency: ___, ...unpriced } = session
  await api.commit(snapshotChange(), putRow(sessionsTable, priced ? session : unpriced))
  return session.session_id
}

test('portal - sessions are listed newest first, with their cost, up to the limit', async (t) => {
  const api = await createTestApi()
  await api.register('CP-1')
  for (const hours of [5, 4, 3]) await charged(api, 10_000, hours)
  const running = await charging(api)
  const all = await api.call('GET', '/api/v1/portal/sessions')
  t.equal(all.body.total, 4)
  t.same(Object.keys(all.body), ['data', 'total', 'page', 'per_page'])
  t.match(all.body.data[0], { session_id: running, status: 'active', ended_at: null, cost: 0.42, currency: 'EUR' })
  t.match(all.body.data[1], {
    charge_point_id: 'CP-1',
    connector_id: 1,
    energy_kwh: 10,
    cost: 6.25,
    status: 'completed',
  })
  const two = await api.call('GET', `/api/v1/portal/sessions?limit=2&to=${hoursAgo(api, 3.5)}`)
  t.equal(two.body.total, 3)
  t.equal(two.body.data.length, 2)
  t.ok(two.body.data[0].started_at > two.body.data[1].started_at)
  for (const limit of [0, 101]) t.equal((await api.call('GET', `/api/v1/portal/sessions?limit=${limit}`)).status, 400)
  const another = await api.addOrganization()
  t.same((await api.call('GET', '/api/v1/portal/sessions', undefined, another)).body, {
    data: [],
    total: 0,
    page: 1,
    per_page: 20,
  })
})

test('portal - the breakdown of a session says what makes up its total', async (t) => {
  const api = await createTestApi()
  const id = await charged(api)
  const { status, body } = await api.call('GET', `/api/v1/portal/sessions/${id}/cost-breakdown`)
  t.equal(status, 200)
  t.match(body, {
    session_id: id,
    currency: 'EUR',
    tariff_id: 'trf_1',
    subtotal: 5.25,
    tax_percentage: 19,
    final: true,
  })
  t.match(body, { tax: 1, total: 6.25, adjustments: [] })
  t.match(body.lines, [
    { type: 'energy', quantity: 10, unit: 'kWh', unit_price: 0.49, amount: 4.9 },
    { type: 'flat', quantity: 1, unit: 'session', unit_price: 0.35, amount: 0.35 },
  ])
  const another = await api.addOrganization()
  const path = `/api/v1/portal/sessions/${id}/cost-breakdown`
  t.equal((await api.call('GET', path, undefined, another)).status, 404)
})

test('portal - a running session is priced as of now, and has neither receipt nor dispute', async (t) => {
  const api = await createTestApi()
  await api.register('CP-1')
  const id = await charging(api)
  const { body } = await api.call('GET', `/api/v1/portal/sessions/${id}/cost-breakdown`)
  t.match(body, { final: false, subtotal: 0.35, total: 0.42 })
  const receipt = await api.call('GET', `/api/v1/portal/sessions/${id}/receipt`)
  t.match(receipt, { status: 409, body: { error: { code: 'session_not_ended' } } })
  const dispute = await api.call('POST', `/api/v1/portal/sessions/${id}/dispute`, { reason: 'too much' })
  t.match(dispute, { status: 409, body: { error: { code: 'session_not_ended' } } })
})

test('portal - a session without a tariff has no price, and says so', async (t) => {
  const api = await createTestApi()
  const id = await charging(api, false)
  const { body } = await api.call('GET', '/api/v1/portal/sessions')
  t.match(body.data[0], { session_id: id, cost: null, currency: null })
  const breakdown = await api.call('GET', `/api/v1/portal/sessions/${id}/cost-breakdown`)
  t.match(breakdown, { status: 409, body: { error: { code: 'session_not_priced' } } })
})

test('portal - a session has one open dispute', async (t) => {
  const api = await createTestApi()
  const path = `/api/v1/portal/sessions/${await charged(api)}/dispute`
  t.equal((await api.call('POST', path, {})).status, 400)
  t.equal((await api.call('POST', path, { reason: ' ' })).status, 400)
  t.equal((await api.call('POST', path, { reason: 'too much', expected_cost: -1 })).status, 400)
  const body = { reason: 'it was idle', expected_cost: 4.5 }
  const answers = await Promise.all([api.call('POST', path, body), api.call('POST', path, body)])
  t.same(answers.map(({ status }) => status).sort(), [201, 409])
  const made = answers.find(({ status }) => status === 201)
  t.match(made?.body, { dispute_id: /^dsp_/, status: 'open', expected_cost: 4.5, disputed_cost: 6.25, currency: 'EUR' })
  t.match(await api.call('POST', path, body), { status: 409, body: { error: { code: 'dispute_exists' } } })
  t.equal((await api.call('POST', '/api/v1/portal/sessions/ses_0/dispute', body)).status, 404)
})

test('portal - a receipt is issued once, numbered in the order of issue', async (t) => {
  const api = await createTestApi()
  await api.register('CP-1')
  const ids = await Promise.all([charged(api, 1_000, 1), charged(api, 2_000, 2), charged(api, 3_000, 3)])
  const receipts = () =>
    Promise.all(ids.map((id) => api.api.handle(request(api, `/api/v1/portal/sessions/${id}/receipt`))))
  const first = await receipts()
  t.same(new Set(first.map(({ status }) => status)), new Set([200]))
  t.equal(first[0]?.headers['Content-Type'], 'application/pdf')
  const names = first.map(({ headers }) => /R-\d+/.exec(headers['Content-Disposition'] ?? '')?.[0])
  t.same([...names].sort(), ['R-000001', 'R-000002', 'R-000003'])
  // What is renamed later does not change what was issued.
  await api.call('PATCH', '/api/v1/chargepoints/CP-1', { name: 'Renamed' })
  const again = await receipts()
  for (const [index, { body }] of again.entries()) t.ok(Buffer.from(body).equals(Buffer.from(first[index]?.body ?? '')))
})

test('portal - a corrected cost makes a new revision under the same number', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const endedAt = hoursAgo(api, 1)
  const { session, changes } = billedSession({ organizationId, endedAt, status: 'estimated' })
  await api.commit(...changes)
  const path = `/api/v1/portal/sessions/${session.session_id}/receipt`
  const before = await api.api.handle(request(api, path))
  const { session_id: sessionId } = session
  await api.commit(...billedSession({ organizationId, endedAt, sessionId, energyWh: 12_000, tariff }).changes)
  const after = await api.api.handle(request(api, path))
  t.equal(after.headers['Content-Disposition'], before.headers['Content-Disposition'])
  t.notOk(Buffer.from(after.body).equals(Buffer.from(before.body)))
  t.ok(Buffer.from((await api.api.handle(request(api, path))).body).equals(Buffer.from(after.body)))
})

function request(api: TestApi, path: string) {
  const headers = { authorization: `Bearer ${api.operator.key}` }
  return { method: 'GET', path, query: '', headers, body: undefined, remoteAddress: '127.0.0.1' }
}
