import { test } from 'tap'
import { type GuestSession, guestSessionsTable } from '../../src/records/guest-session.js'
import type { OcpiTokenIdentity } from '../../src/records/ocpi-token.js'
import { organizationsTable } from '../../src/records/organization.js'
import { sessionsTable } from '../../src/records/session.js'
import { component, snapshot } from '../pricing/examples.js'
import { billedSession, type Charge } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

async function charge(api: TestApi, endedAt: string, more: Partial<Charge> = {}): Promise<number> {
  const { cost, changes } = billedSession({ organizationId: api.operator.organizationId, endedAt, ...more })
  await api.commit(...changes)
  return cost.priced.total
}

async function inZone(api: TestApi, timeZone: string): Promise<void> {
  const organization = api.store.view().get(organizationsTable, [api.operator.organizationId])
  if (organization === undefined) throw new Error('the fixture has no organization')
  await api.put(organizationsTable, { ...organization, time_zone: timeZone })
}

const october = 'from=2026-10-01T00:00:00%2B02:00&to=2026-11-01T00:00:00%2B01:00'

test('revenue - days are those of the time zone, also the one of 25 hours', async (t) => {
  const api = await createTestApi()
  await inZone(api, 'Europe/Berlin')
  await charge(api, '2026-10-24T21:59:59.999Z')
  await charge(api, '2026-10-24T22:00:00.000Z')
  await charge(api, '2026-10-25T22:59:59.999Z')
  await charge(api, '2026-10-25T23:00:00.000Z')
  const { body } = await api.call('GET', `/api/v1/billing/revenue?${october}`)
  t.same(
    body.groups.map(({ key, count }: { key: string; count: number }) => [key, count]),
    [
      ['2026-10-24', 1],
      ['2026-10-25', 2],
      ['2026-10-26', 1],
    ],
  )
  t.match(body, { time_zone: 'Europe/Berlin', total: 3, from: '2026-09-30T22:00:00.000Z' })
})

test('revenue - the totals are the sums of the sessions, a currency at a time', async (t) => {
  const api = await createTestApi()
  const yen = snapshot([component('energy', 33)], 10, 'JPY')
  const dinars = snapshot([component('energy', 0.1111)], 5, 'KWD')
  let euros = 0
  for (let hour = 0; hour < 23; hour++) {
    const endedAt = `2026-10-${String(hour + 1).padStart(2, '0')}T12:00:00Z`
    euros += Math.round(100 * (await charge(api, endedAt, { energyWh: 777 * hour, chargePointId: `CP-${hour % 3}` })))
    await charge(api, endedAt, { tariff: yen, energyWh: 1_234 })
  }
  const three = await charge(api, '2026-10-05T12:00:00Z', { tariff: dinars, energyWh: 9_999, siteId: 'site_1' })
  for (const grouping of ['day', 'charge_point', 'site', 'tariff']) {
    const { body } = await api.call('GET', `/api/v1/billing/revenue?${october}&group_by=${grouping}`)
    t.match(body.totals, [
      { currency: 'EUR', count: 23, total: euros / 100, adjustments: 0 },
      { currency: 'JPY', count: 23, total: 23 * 45 },
      { currency: 'KWD', count: 1, total: three, energy_kwh: 9.999 },
    ])
    for (const { currency, total } of body.totals) {
      const own = body.groups.filter((group: { currency: string }) => group.currency === currency)
      const sum = own.reduce((before: number, group: { total: number }) => before + Math.round(group.total * 1_000), 0)
      t.equal(sum / 1_000, total, `${grouping} ${currency}`)
    }
  }
  const { body } = await api.call('GET', `/api/v1/billing/revenue?${october}&group_by=site&per_page=1&page=3`)
  t.match(body, { groups: [{ key: 'site_1', currency: 'KWD' }], total: 3 }, 'pages of groups')
})

test('revenue - of one site, only its own sessions and guests are summed', async (t) => {
  const api = await createTestApi()
  const one = await charge(api, '2026-10-05T12:00:00Z', { siteId: 'site_1' })
  await charge(api, '2026-10-06T12:00:00Z', { siteId: 'site_2' })
  await charge(api, '2026-10-07T12:00:00Z')
  const [session] = (await api.call('GET', '/api/v1/sessions?site_id=site_1')).body.sessions
  await guest(
    api,
    '2026-10-05T12:00:00.000Z',
    { capture_minor: 700 },
    { session_id: session.session_id, final_cost: 7 },
  )
  await guest(api, '2026-10-06T12:00:00.000Z', { capture_minor: 800 }, { final_cost: 8 })
  const { body } = await api.call('GET', `/api/v1/billing/revenue?${october}&group_by=site&site_id=site_1`)
  t.match(body, { total: 1, groups: [{ key: 'site_1', count: 1, total: one }], totals: [{ count: 1, total: one }] })
  t.match(body.guest_payments, [{ count: 1, cost: 7, captured_amount: 7 }])
  const none = (await api.call('GET', `/api/v1/billing/revenue?${october}&site_id=site_3`)).body
  t.match(none, { total: 0, totals: [], guest_payments: [] })
})

test('revenue - a period is from inclusive to exclusive, of the own organization, and bounded', async (t) => {
  const api = await createTestApi()
  await charge(api, '2026-10-01T00:00:00.000Z')
  await charge(api, '2026-11-01T00:00:00.000Z')
  const path = '/api/v1/billing/revenue?from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z'
  t.match((await api.call('GET', path)).body, { totals: [{ count: 1 }] })
  const another = await api.addOrganization()
  t.match((await api.call('GET', path, undefined, another)).body, { totals: [], groups: [], total: 0 })
  for (const period of [
    'from=2025-01-01T00:00:00Z&to=2026-11-01T00:00:00Z',
    'from=2026-11-01T00:00:00Z&to=2026-11-01T00:00:00Z',
  ])
    t.match(await api.call('GET', `/api/v1/billing/revenue?${period}`), {
      status: 400,
      body: { error: { code: 'validation_error' } },
    })
  t.equal((await api.call('GET', '/api/v1/billing/revenue?group_by=moon')).status, 400)
})

async function guest(api: TestApi, ended_at: string, payment: object, more: Partial<GuestSession> = {}): Promise<void> {
  await api.put(guestSessionsTable, {
    guest_session_id: api.newId('gse'),
    token_hash: api.newId('hash'),
    organization_id: api.operator.organizationId,
    charge_point_id: 'CP-1',
    connector_id: 1,
    id_tag: api.newId('GST'),
    status: 'stopped',
    offered: true,
    payment: { status: 'captured', currency: 'EUR', authorized_minor: 5_000, ...payment },
    created_at: ended_at,
    expires_at: ended_at,
    created_by: 'api_key:1',
    session_id: api.newId('ses'),
    ended_at,
    currency: 'EUR',
    ...more,
  })
}

test('revenue - what guests paid in the period: collected, refunded and written off, a currency at a time', async (t) => {
  const api = await createTestApi()
  const refund = { key: 'k', status: 'refunded' as const, amount_minor: 150, due_since: '2026-10-05T12:00:00.000Z' }
  await guest(api, '2026-10-05T12:00:00.000Z', { capture_minor: 700 }, { final_cost: 7 })
  await guest(api, '2026-10-06T12:00:00.000Z', { capture_minor: 700, refunds: [refund] }, { final_cost: 5.5 })
  await guest(api, '2026-10-07T12:00:00.000Z', { capture_minor: 5_000 }, { final_cost: 50.05 })
  const yen = { currency: 'JPY', capture_minor: 900 }
  await guest(api, '2026-10-08T12:00:00.000Z', yen, { currency: 'JPY', final_cost: 900 })
  await guest(api, '2026-11-05T12:00:00.000Z', { capture_minor: 100 }, { final_cost: 1 })
  const { body } = await api.call('GET', `/api/v1/billing/revenue?${october}`)
  const euros = { captured_amount: 64, refunded_amount: 1.5, written_off_amount: 0.05 }
  t.same(body.guest_payments, [
    { currency: 'EUR', count: 3, cost: 62.55, ...euros },
    { currency: 'JPY', count: 1, cost: 900, captured_amount: 900, refunded_amount: 0, written_off_amount: 0 },
  ])
  const another = await api.addOrganization()
  t.same((await api.call('GET', `/api/v1/billing/revenue?${october}`, undefined, another)).body.guest_payments, [])
})

test('revenue - each roaming partner has the sum of the sessions of its drivers', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const token: OcpiTokenIdentity = { country_code: 'NL', party_id: 'EMP', uid: 'U', type: 'RFID', contract_id: 'C' }
  const chargeOf = async (partner_id: string, energyWh: number) => {
    const { session, cost, changes } = billedSession({ organizationId, endedAt: '2026-10-05T12:00:00Z', energyWh })
    await api.commit(...changes)
    await api.put(sessionsTable, { ...session, roaming: { ...token, partner_id, auth_method: 'WHITELIST' } })
    return cost.priced.total
  }
  const one = [await chargeOf('ocp_1', 10_000), await chargeOf('ocp_1', 20_000)]
  const other = await chargeOf('ocp_2', 5_000)
  const own = await charge(api, '2026-10-05T12:00:00Z')
  const sum = (...totals: number[]) => Math.round(totals.reduce((all, total) => all + total, 0) * 100) / 100
  const { body } = await api.call('GET', `/api/v1/billing/revenue?${october}&group_by=partner`)
  t.same(
    body.groups.map(({ key, count, total }: Record<string, unknown>) => [key, count, total]),
    [
      [null, 1, own],
      ['ocp_1', 2, sum(...one)],
      ['ocp_2', 1, other],
    ],
  )
  const filtered = await api.call('GET', `/api/v1/billing/revenue?${october}&partner_id=ocp_1`)
  t.match(filtered.body, { totals: [{ count: 2, total: sum(...one) }], guest_payments: [] })
  t.equal(filtered.body.totals.length, 1)
  t.same((await api.call('GET', `/api/v1/billing/revenue?${october}&partner_id=ocp_9`)).body.totals, [])
})
