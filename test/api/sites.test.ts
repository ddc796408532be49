// Sites, which charge points are in them, their energy assets, and what a site shows of itself.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../src/records/charge-point-state.js'
import { siteConfigurationsTable } from '../../src/records/site-configuration.js'
import { registeredRow } from '../support/registration.js'
import { createTestApi, type TestApi } from './fixture.js'

const carPark = {
  name: 'Station Street car park',
  address: 'Station Street 1',
  max_grid_power_kw: 50,
  latitude: 52.37,
  longitude: 4.9,
}

const path = '/api/v1/sites'

async function makeSite(service: TestApi, fields: object = {}): Promise<string> {
  return (await service.call('POST', path, { ...carPark, ...fields })).body.site_id
}

const link = (service: TestApi, siteId: string, id: string) =>
  service.call('POST', `${path}/${siteId}/chargers/${id}/link`)
const unlink = (service: TestApi, siteId: string, id: string) =>
  service.call('DELETE', `${path}/${siteId}/chargers/${id}`)

async function siteOf(service: TestApi, id: string): Promise<string | null> {
  return (await service.call('GET', `/api/v1/chargepoints/${id}`)).body.site_id
}

test('sites - one is created, listed, read, changed field by field, and deleted', async (t) => {
  const service = await createTestApi()
  const made = await service.call('POST', path, carPark)
  t.equal(made.status, 201)
  t.match(made.body, { ...carPark, site_id: /^site_/, time_zone: null, charger_count: 0 })
  const { site_id } = made.body
  t.same((await service.call('GET', `${path}/${site_id}`)).body, made.body)
  const changed = await service.call('PATCH', `${path}/${site_id}`, {
    max_grid_power_kw: 80,
    time_zone: 'Europe/Berlin',
  })
  t.match(changed.body, { ...carPark, max_grid_power_kw: 80, time_zone: 'Europe/Berlin' })
  const cleared = await service.call('PATCH', `${path}/${site_id}`, { time_zone: null })
  t.match(cleared.body, { max_grid_power_kw: 80, time_zone: null })
  t.equal((await service.call('DELETE', `${path}/${site_id}`)).status, 204)
  t.equal((await service.call('GET', `${path}/${site_id}`)).status, 404)
  const entries = (await service.call('GET', '/api/v1/org/audit-log')).body.data
  t.same(entries.map(({ action }: { action: string }) => action).slice(0, 4), [
    'deleteSite',
    'updateSite',
    'updateSite',
    'createSite',
  ])
})

test('sites - a time zone that does not exist, a power of nothing and a place off the map are refused', async (t) => {
  const service = await createTestApi()
  const site_id = await makeSite(service)
  const wrong = { time_zone: 'Mars/Olympus', max_grid_power_kw: 0, latitude: 91, name: '', address: 'a\nb' }
  for (const [field, value] of Object.entries(wrong)) {
    for (const [method, target, body] of [
      ['POST', path, { ...carPark, [field]: value }],
      ['PATCH', `${path}/${site_id}`, { [field]: value }],
    ] as const) {
      const answer = await service.call(method, target, body)
      t.match(answer, { status: 400, body: { error: { details: [{ path: `/${field}` }] } } }, `${method} ${field}`)
    }
  }
})

test('sites - the list goes by pages, or by an offset, but not by both', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 5; at++) await makeSite(service, { name: `Site ${at}` })
  const list = async (query: string) => {
    const { body } = await service.call('GET', `${path}?${query}`)
    return [body.total, body.page, body.sites.map(({ name }: { name: string }) => Number(name.slice(-1)))]
  }
  t.same(await list(''), [5, 1, [0, 1, 2, 3, 4]])
  t.same(await list('limit=2&page=2'), [5, 2, [2, 3]])
  t.same(await list('limit=2&offset=3'), [5, 2, [3, 4]])
  t.same(await list('limit=2&offset=0'), [5, 1, [0, 1]])
  t.same(await list('offset=9'), [5, 1, []])
  const both = await service.call('GET', `${path}?offset=2&page=2`)
  t.match(both, { status: 400, body: { error: { details: [{ path: 'offset' }] } } })
  t.match(await service.call('GET', `${path}?offset=-1`), { status: 400 })
  // A list that knows no offset goes by its pages.
  for (const id of ['A', 'B']) await service.register(id)
  t.equal((await service.call('GET', '/api/v1/chargepoints?offset=1')).body.data.length, 2)
})

test('sites - the list is searched by name, and says which sites are managed and what they may draw', async (t) => {
  const service = await createTestApi()
  const quay = await makeSite(service, { name: 'Quayside', address: 'Harbour 1' })
  await makeSite(service, { name: 'Town hall' })
  const found = async (query: string) => (await service.call('GET', `${path}?${query}`)).body
  const names = async (query: string) => (await found(query)).sites.map(({ name }: { name: string }) => name)
  t.same(await names('q=QUAY'), ['Quayside'])
  t.same(await names('q=harbour'), ['Quayside'])
  t.same(await names(`q=${quay}`), ['Quayside'])
  t.match(await found('q=nowhere'), { total: 0, sites: [] })
  t.match(await found('q=l&per_page=1&page=1'), { total: 1, sites: [{ name: 'Town hall' }] })
  const config = { max_power_kw: 20, strategy: 'equal' }
  await service.call('PUT', `/api/v1/smart-charging/sites/${quay}/config`, config)
  await service.call('POST', `${path}/${quay}/energy-assets`, { type: 'battery', name: 'C', rated_capacity_kw: 5 })
  t.match(await found(''), {
    sites: [
      { is_managed: true, budget_kw: 25, charger_count: 0 },
      { is_managed: false, budget_kw: null },
    ],
  })
})

test('sites - a time zone is stored as the database spells it, and a tariff that does not exist is named with its path', async (t) => {
  const service = await createTestApi()
  const site_id = await makeSite(service, { time_zone: 'europe/amsterdam' })
  const zone = async () => (await service.call('GET', `${path}/${site_id}`)).body.time_zone
  t.equal(await zone(), 'Europe/Amsterdam')
  await service.call('PATCH', `${path}/${site_id}`, { time_zone: 'utc' })
  t.equal(await zone(), 'UTC')
  t.match(await service.call('PATCH', `${path}/${site_id}`, { default_tariff_id: 'trf_none' }), {
    status: 404,
    body: { error: { details: [{ path: '/default_tariff_id', message: 'there is no such tariff' }] } },
  })
  const metadata = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, index]))
  const asset = { type: 'solar', name: 'Roof', rated_capacity_kw: 20, metadata }
  const tooMany = await service.call('POST', `${path}/${site_id}/energy-assets`, asset)
  t.match(tooMany.body.error.details, [{ path: '/metadata', message: 'must have at most 50 fields' }])
})

test('sites - a charge point is in one site at most, and moves by being unlinked first', async (t) => {
  const service = await createTestApi()
  const [one, other] = [await makeSite(service), await makeSite(service)]
  await service.register('CP-1')
  const linked = await link(service, one, 'CP-1')
  t.match(linked, { status: 200, body: { site_id: one, charge_point_id: 'CP-1', linked_at: String } })
  t.equal(await siteOf(service, 'CP-1'), one)
  t.match((await service.call('GET', `${path}/${one}`)).body, { charger_count: 1 })
  for (const site of [one, other]) {
    const again = await link(service, site, 'CP-1')
    t.match(again, { status: 409, body: { error: { code: 'already_linked', charge_point_id: 'CP-1' } } })
  }
  t.equal((await unlink(service, other, 'CP-1')).status, 404)
  t.equal(await siteOf(service, 'CP-1'), one)
  t.equal((await unlink(service, one, 'CP-1')).status, 204)
  t.equal((await unlink(service, one, 'CP-1')).status, 404)
  t.equal((await link(service, other, 'CP-1')).status, 200)
  const listed = await service.call('GET', `/api/v1/chargepoints?site_id=${other}`)
  t.match(listed.body, { total: 1, charge_points: [{ charge_point_id: 'CP-1', site_id: other }] })
  t.match((await service.call('GET', `${path}/${one}`)).body, { charger_count: 0 })
})

test('sites - of two sites that link a charge point at the same time, one has it', async (t) => {
  const service = await createTestApi()
  const made = [await makeSite(service), await makeSite(service)]
  await service.register('CP-1')
  const answers = await Promise.all(made.map((site) => link(service, site, 'CP-1')))
  t.same(answers.map(({ status }) => status).sort(), [200, 409])
  t.equal(await siteOf(service, 'CP-1'), made[answers.findIndex(({ status }) => status === 200)])
})

test('sites - a site that is deleted leaves no charge point in it, also none that is linked at the same time', async (t) => {
  const service = await createTestApi()
  const site = await makeSite(service)
  for (const id of ['CP-1', 'CP-2', 'CP-3']) await service.register(id)
  await link(service, site, 'CP-1')
  await link(service, site, 'CP-2')
  const asset = { type: 'battery', name: 'Cellar', rated_capacity_kw: 30 }
  await service.call('POST', `${path}/${site}/energy-assets`, asset)
  const [deleted, linked] = await Promise.all([service.call('DELETE', `${path}/${site}`), link(service, site, 'CP-3')])
  t.equal(deleted.status, 204)
  t.ok([200, 404].includes(linked.status), `${linked.status}`)
  for (const id of ['CP-1', 'CP-2', 'CP-3']) t.equal(await siteOf(service, id), null, id)
  t.equal((await service.call('GET', `${path}/${site}/energy-assets`)).status, 404)
  t.equal(service.store.view().total(siteConfigurationsTable, 'byOrganization', [service.operator.organizationId]), 0)
})

test('sites - a charge point of another organization, or of nobody, cannot be linked', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  await service.register('THEIRS', {}, other.key)
  const site = await makeSite(service)
  for (const id of ['THEIRS', 'NOBODYS'])
    t.match(await link(service, site, id), { status: 404, body: { error: { code: 'not_found' } } }, id)
  await service.register('OURS')
  const mine = { key: other.key }
  t.equal((await service.call('POST', `${path}/${site}/chargers/THEIRS/link`, undefined, mine)).status, 404)
  t.match((await service.call('GET', path, undefined, mine)).body, { total: 0, sites: [] })
})

test('sites - a site takes 500 charge points and 50 energy assets, and no more', async (t) => {
  const service = await createTestApi()
  const site = await makeSite(service)
  const { organizationId: organization_id } = service.operator
  const rows = Array.from({ length: 499 }, (_, at) => registeredRow(`IN-${at}`, { organization_id, site_id: site }))
  await service.commit(...rows.map((row) => putRow(chargePointsTable, row)))
  const ids = ['CP-1', 'CP-2']
  for (const id of ids) await service.register(id)
  // Of two that come together, one is too many.
  const last = await Promise.all(ids.map((id) => link(service, site, id)))
  t.same(last.map(({ status }) => status).sort(), [200, 409])
  t.match(last.find(({ status }) => status === 409)?.body, { error: { code: 'conflict', message: /500/ } })
  const asset = { type: 'wind', name: 'Mill', rated_capacity_kw: 3 }
  const add = () => service.call('POST', `${path}/${site}/energy-assets`, asset)
  for (let at = 0; at < 50; at++) t.equal((await add()).status, 201)
  t.match(await add(), { status: 409, body: { error: { code: 'conflict' } } })
  t.match((await service.call('GET', `${path}/${site}/summary`)).body, { charger_statuses: { offline: 500 } })
  t.equal((await service.call('DELETE', `${path}/${site}`)).status, 204)
  t.match((await service.call('GET', `/api/v1/chargepoints?site_id=${site}`)).body, { total: 0 })
  t.equal(await siteOf(service, 'IN-0'), null)
})

test('sites - an energy asset counts with what it can give, and is of its own site alone', async (t) => {
  const service = await createTestApi()
  const [site, other] = [await makeSite(service), await makeSite(service)]
  const assets = `${path}/${site}/energy-assets`
  const roof = { type: 'solar', name: 'Roof', rated_capacity_kw: 20, metadata: { available_kw: 4.5, panels: 48 } }
  const made = await service.call('POST', assets, roof)
  t.match(made, { status: 201, body: { ...roof, asset_id: /^ast_/, site_id: site, available_kw: 4.5 } })
  const { asset_id } = made.body
  const cellar = { type: 'battery', name: 'Cellar', rated_capacity_kw: 30 }
  t.match((await service.call('POST', assets, cellar)).body, { available_kw: 30, metadata: {} })
  const sunnier = await service.call('PUT', `${assets}/${asset_id}`, { metadata: { available_kw: 12 } })
  t.match(sunnier.body, { name: 'Roof', rated_capacity_kw: 20, available_kw: 12 })
  t.same(sunnier.body.metadata, { available_kw: 12 })
  const listed = (await service.call('GET', `${assets}?limit=1`)).body
  t.match(listed, { total: 2, energy_assets: [{ name: 'Roof' }] })
  for (const method of ['PUT', 'DELETE']) {
    const body = method === 'PUT' ? {} : undefined
    const elsewhere = await service.call(method, `${path}/${other}/energy-assets/${asset_id}`, body)
    t.equal(elsewhere.status, 404, method)
  }
  for (const available_kw of [-1, 'much', true]) {
    const wrong = await service.call('PUT', `${assets}/${asset_id}`, { metadata: { available_kw } })
    t.match(wrong, { status: 400, body: { error: { details: [{ path: '/metadata/available_kw' }] } } })
  }
  t.equal((await service.call('POST', assets, { ...roof, type: 'nuclear' })).status, 400)
  t.equal((await service.call('POST', assets, { ...roof, metadata: { nested: {} } })).status, 400)
  t.equal((await service.call('DELETE', `${assets}/${asset_id}`)).status, 204)
  t.match((await service.call('GET', assets)).body, { total: 1 })
})

test('sites - the summary says what may be drawn, what is drawn, and how the charge points are', async (t) => {
  const service = await createTestApi()
  const site_id = await makeSite(service)
  for (const id of ['A', 'B', 'ELSEWHERE']) await service.register(id)
  await link(service, site_id, 'A')
  await link(service, site_id, 'B')
  const summary = async () => (await service.call('GET', `${path}/${site_id}/summary`)).body
  t.match(await summary(), { max_grid_power_kw: 50, budget_kw: null, current_draw_kw: 0, active_sessions: 0 })
  await service.call('POST', `${path}/${site_id}/energy-assets`, { type: 'battery', name: 'C', rated_capacity_kw: 5 })
  await service.put(siteConfigurationsTable, {
    site_id,
    organization_id: service.operator.organizationId,
    version: 1,
    max_power_kw: 60,
    strategy: 'equal',
    min_power_kw: 1.4,
    priority_order: [],
    schedule: [],
    updated_at: carPark.name,
  })
  const charge = async (id: string, watts: string) => {
    const connection = service.connect(id)
    await service.settled()
    const timestamp = new Date(service.now()).toISOString()
    const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp }
    service.tellFrom(connection, 'StartTransaction', start)
    await service.settled()
    const [session] = (await service.call('GET', `/api/v1/sessions?charge_point_id=${id}`)).body.sessions
    const sampledValue = [{ value: watts, measurand: 'Power.Active.Import', unit: 'W' }]
    const meterValue = [{ timestamp, sampledValue }]
    const values = { connectorId: 1, transactionId: session.transaction_id, meterValue }
    service.tellFrom(connection, 'MeterValues', values)
    await service.settled()
    return connection
  }
  const connection = await charge('A', '7400')
  await charge('ELSEWHERE', '11000')
  t.match(await summary(), {
    site_id,
    budget_kw: 55,
    current_draw_kw: 7.4,
    charger_statuses: { charging: 1, offline: 1, available: 0 },
    faulted: 0,
    energy_assets: [{ type: 'battery', available_kw: 5 }],
    active_sessions: 1,
    updated_at: String,
  })
  service.disconnect(connection)
  await service.settled()
  t.match(await summary(), { current_draw_kw: 0, charger_statuses: { offline: 2 }, active_sessions: 1 })
  const state = service.store.view().get(chargePointStatesTable, ['A']) as ChargePointState
  await service.put(chargePointStatesTable, { ...state, connected: true, run: state.run + 1, power_watts: 7_400 })
  t.match(await summary(), { current_draw_kw: 0 }, 'it was connected to a process that is gone')
  await service.call('DELETE', '/api/v1/chargepoints/B')
  t.match(await summary(), { charger_statuses: { offline: 1 } })
})

test('sites - a session keeps the site where it started', async (t) => {
  const service = await createTestApi()
  const [one, other] = [await makeSite(service), await makeSite(service)]
  await service.register('A')
  const connection = service.connect('A')
  const start = async (connectorId: number) => {
    await service.settled()
    const timestamp = new Date(service.now()).toISOString()
    service.tellFrom(connection, 'StartTransaction', { connectorId, idTag: 'TAG-1', meterStart: 0, timestamp })
    await service.settled()
  }
  const sitesOf = async () => {
    const { sessions } = (await service.call('GET', '/api/v1/sessions')).body
    return sessions.map(({ site_id }: { site_id: string | null }) => site_id).reverse()
  }
  await link(service, one, 'A')
  await start(1)
  t.same(await sitesOf(), [one])
  await unlink(service, one, 'A')
  await link(service, other, 'A')
  await start(2)
  t.same(await sitesOf(), [one, other])
  await service.call('DELETE', `${path}/${other}`)
  t.same(await sitesOf(), [one, other])
  t.match((await service.call('GET', `/api/v1/sessions?site_id=${other}`)).body, { total: 1 })
  await start(1)
  t.same(await sitesOf(), [one, other, null], 'one that is in no site any more')
  // As on another front: a frame may come before word of what has been answered there.
  const stored = service.store.view().get(chargePointsTable, ['A'])
  if (stored === undefined) throw new Error('the charge point is not registered')
  await service.put(chargePointsTable, { ...stored, version: stored.version + 1, site_id: one })
  await start(2)
  t.same(await sitesOf(), [one, other, null, one], 'as it is stored, whether or not word of it has come')
})

test('sites - charge points without a tariff of their own sell at that of their site, before that of the organization', async (t) => {
  const service = await createTestApi()
  const tariff = async (price: number): Promise<string> => {
    const body = { name: `At ${price}`, currency: 'EUR', components: [{ type: 'energy', price }] }
    return (await service.call('POST', '/api/v1/billing/tariffs', body)).body.tariff_id
  }
  const [general, ofSite, own] = [await tariff(0.3), await tariff(0.4), await tariff(0.5)]
  const site = await makeSite(service, { default_tariff_id: ofSite })
  for (const id of ['IN', 'OUT']) await service.register(id)
  await link(service, site, 'IN')
  const withoutTariff = async () => {
    const { body } = await service.call('GET', '/api/v1/chargepoints?tariff=none')
    return body.data.map(({ charge_point_id }: { charge_point_id: string }) => charge_point_id)
  }
  t.same(await withoutTariff(), ['OUT'])
  const settings = `/api/v1/organizations/${service.operator.organizationId}/settings`
  await service.call('PUT', settings, { default_tariff_id: general })
  const sells = async (id: string) => (await service.call('GET', `/api/v1/chargepoints/${id}/tariff`)).body
  t.match(await sells('IN'), { tariff_id: ofSite, source: 'site', assigned_at: null })
  t.match(await sells('OUT'), { tariff_id: general, source: 'organization' })
  const connection = service.connect('IN')
  await service.settled()
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp })
  await service.settled()
  t.match((await service.call('GET', '/api/v1/sessions')).body.sessions, [{ site_id: site, tariff_id: ofSite }])
  const assign = (tariff_id: string | null) => service.call('PUT', '/api/v1/chargepoints/IN/tariff', { tariff_id })
  await assign(own)
  t.match(await sells('IN'), { tariff_id: own, source: 'charge_point' })
  t.match((await assign(null)).body, { tariff_id: ofSite, source: 'site' })
  const remove = () => service.call('DELETE', `/api/v1/billing/tariffs/${ofSite}`)
  t.match(await remove(), { status: 409, body: { error: { code: 'tariff_in_use', message: /site/ } } })
  const change = (default_tariff_id: string | null) => service.call('PATCH', `${path}/${site}`, { default_tariff_id })
  t.equal((await change('trf_none')).status, 404)
  t.match((await change(null)).body, { default_tariff_id: null })
  t.match(await sells('IN'), { tariff_id: general, source: 'organization' })
  t.equal((await remove()).status, 204)
  t.equal((await change(ofSite)).status, 404)
})
