// Locations as roaming partners see them (OCPI 2.2.1, 8): made of sites and charge points, and what these do, at the built service.

import { test } from 'tap'
import { envelopeOf } from '../../src/ocpi/schemas/envelope.js'
import { locationSchema } from '../../src/ocpi/schemas/location.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import { bootChargePoint } from '../support/charge-point.js'
import { asPartner, credentialsOf, invitePartner, party, startPartner } from '../support/ocpi-partner.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { roamingFlags } from '../support/roaming-stage.js'
import type { Service, Teardowns } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)
const locations = '/ocpi/cpo/2.2.1/locations'
const emsp = { role: 'EMSP', country_code: 'NL', business_details: { name: 'Example Mobility' } }
let [parties, partners] = [0, 0]

async function operatorOf(service: Service): Promise<Tenant> {
  const tenant = await tenantOf(service)
  const party_id = `L${(++parties).toString().padStart(2, '0')}`
  await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id, publish_by_default: false })
  return tenant
}

/** A registered partner of the organization: what it calls with. */
async function partnerOf(t: Teardowns, tenant: Tenant, fields: object = {}): Promise<ReturnType<typeof asPartner>> {
  const [stub, invited] = [await startPartner(t), await invitePartner(tenant, { ...fields })]
  const { body } = await asPartner(tenant, invited.token)(
    'POST',
    '/ocpi/cpo/2.2.1/credentials',
    credentialsOf(stub, `b-${invited.id}`, [{ ...emsp, party_id: `E${(++partners).toString().padStart(2, '0')}` }]),
  )
  if (body.status_code !== 1000) throw new Error(`the partner was not registered: ${JSON.stringify(body)}`)
  return asPartner(tenant, body.data.token)
}

const details = (tenant: Tenant, path: string, body: object) => tenant.request('PUT', `/api/v1/${path}/ocpi`, body)
const status = (client: OcppClient, connectorId: number, state: string) =>
  client.call('StatusNotification', { connectorId, status: state, errorCode: 'NoError' })

type Partner = ReturnType<typeof asPartner>

/** The location once it is as it is looked for. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
function seen(partner: Partner, id: string, is: (location: any) => boolean): Promise<any> {
  return until(async () => {
    const { body } = await partner('GET', `${locations}/${id}`)
    return body.data !== undefined && is(body.data) ? body.data : undefined
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
const statusesOf = (location: any): string[] => location.evses.map(({ status: one }: { status: string }) => one)

test('ocpi locations - a charge point without a site is one of its own, once it is published, and follows what it tells', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const client = await bootChargePoint(tenant, 'LOC-L1', { connector_count: 2, max_power_kw: 11 })
  t.same((await partner('GET', locations)).body.data, [])

  await tenant.request('PATCH', '/api/v1/chargepoints/LOC-L1', { address: ' ' })
  const bare = await details(tenant, 'chargepoints/LOC-L1', { publish: true })
  const wants = { publishable: false, published: false, missing: [{ field: 'address' }], assumed: [{ field: 'city' }] }
  t.match(bare.body, { location_id: 'LOC-L1', ...wants })
  t.equal((await partner('GET', `${locations}/LOC-L1`)).status, 404, 'what lacks something is not published')
  await tenant.request('PATCH', '/api/v1/chargepoints/LOC-L1', { address: 'Oudegracht 1' })

  const set = await details(tenant, 'chargepoints/LOC-L1', { publish: true, city: 'Utrecht', postal_code: '3511 ED' })
  t.match(set.body, { publishable: true, missing: [], location: { city: 'Utrecht', publish: true } })
  await status(client, 1, 'Available')
  await status(client, 2, 'Faulted')
  const first = await seen(partner, 'LOC-L1', (one) => statusesOf(one).join() === 'AVAILABLE,OUTOFORDER')
  t.same(faultsOfSent(locationSchema, first), [])
  t.match(first, {
    city: 'Utrecht',
    country: 'NLD',
    evses: [{ uid: 'LOC-L1_1', connectors: [{ id: '1', standard: 'IEC_62196_T2', max_amperage: 16 }] }, {}],
  })

  await status(client, 1, 'Charging')
  const second = await seen(partner, 'LOC-L1', (one) => statusesOf(one)[0] === 'CHARGING')
  t.ok(second.last_updated > first.last_updated)
  t.ok(second.evses[0].last_updated > first.evses[0].last_updated)
  t.equal(second.evses[0].connectors[0].last_updated, first.evses[0].connectors[0].last_updated)
  t.equal(second.evses[1].last_updated, first.evses[1].last_updated)

  t.same((await partner('GET', `${locations}/LOC-L1/LOC-L1_1`)).body.data, second.evses[0])
  t.same((await partner('GET', `${locations}/LOC-L1/LOC-L1_1/1`)).body.data, second.evses[0].connectors[0])
  for (const path of ['NONE', 'LOC-L1/LOC-L1_9', 'LOC-L1/LOC-L1_1/2']) {
    const answer = await partner('GET', `${locations}/${path}`)
    t.equal(answer.status, 404, path)
    t.match(answer.body, { status_code: 2000, timestamp: String }, path)
  }
  const fuller = await details(tenant, 'chargepoints/LOC-L1', {
    publish: true,
    city: 'Utrecht',
    connectors: [{ connector_id: 2, standard: 'IEC_62196_T2_COMBO', format: 'CABLE', power_type: 'DC' }],
  })
  t.equal(fuller.status, 200)
  const third = await seen(partner, 'LOC-L1', (one) => one.evses[1].connectors[0].power_type === 'DC')
  t.equal(third.postal_code, undefined, 'the details are replaced')
  client.close()
})

test('ocpi locations - a site is one with its charge points, and what leaves it is REMOVED', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const place = { name: 'Quayside', address: 'Quay 1', max_grid_power_kw: 100, latitude: 53.5, longitude: 9.9 }
  const { site_id } = (await tenant.request('POST', '/api/v1/sites', place)).body
  for (const id of ['LOC-S1', 'LOC-S2']) {
    await tenant.register(id, { connector_count: 1 })
    await tenant.request('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
  }
  const set = await details(tenant, `sites/${site_id}`, { publish: true, city: 'Hamburg', country: 'DE' })
  t.equal(set.status, 200)
  const both = await seen(partner, site_id, (one) => one.evses.length === 2)
  t.match(both, { id: site_id, name: 'Quayside', country: 'DEU', coordinates: { latitude: '53.500000' } })
  t.same(statusesOf(both), ['PLANNED', 'PLANNED'], 'neither has connected')

  await tenant.request('DELETE', `/api/v1/sites/${site_id}/chargers/LOC-S1`)
  await tenant.request('PATCH', `/api/v1/sites/${site_id}`, { name: 'Quayside North' })
  const one = await seen(partner, site_id, (location) => statusesOf(location).includes('REMOVED'))
  t.match(
    one.evses.find(({ status: is }: { status: string }) => is === 'REMOVED'),
    { uid: 'LOC-S1_1' },
  )
  t.equal((await seen(partner, site_id, ({ name }) => name === 'Quayside North')).id, site_id)

  await details(tenant, 'chargepoints/LOC-S2', { publish: false })
  const empty = await seen(partner, site_id, (location) => location.publish === false)
  t.same(statusesOf(empty), ['REMOVED', 'REMOVED'], 'a location without charge points is taken back')
  await details(tenant, 'chargepoints/LOC-S2', {})
  t.equal((await seen(partner, site_id, (location) => location.publish)).publish, true)

  await tenant.request('DELETE', `/api/v1/sites/${site_id}`)
  const gone = await seen(partner, site_id, (location) => location.publish === false)
  t.same(faultsOfSent(locationSchema, gone), [])
  t.equal((await partner('GET', locations)).body.data.length, 1, 'and is still listed')
})

test('OCPI 11 - row 5: of locations, date_from takes those that have changed then or later, and date_to those before', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const ids = ['LOC-P3', 'LOC-P1', 'LOC-P2']
  for (const id of ids) {
    await tenant.register(id)
    await details(tenant, `chargepoints/${id}`, { publish: true, city: 'Utrecht' })
    await seen(partner, id, () => true)
  }
  for (const query of ['limit=1', 'limit=1&date_from=2020-01-01T00:00:00Z', 'limit=1&date_to=2099-01-01T00:00:00Z'])
    t.same(await crawl(query), ids, query)
  async function crawl(query: string): Promise<string[]> {
    const read: string[] = []
    for (let next: string | undefined = `${locations}?${query}`; next !== undefined; ) {
      const answer = await partner('GET', next)
      t.same(faultsOfSent(envelopeOf(locationSchema), { ...answer.body, data: answer.body.data[0] }), [])
      t.match(answer.headers.get('x-total-count'), /^[13]$/)
      t.equal(answer.headers.get('x-limit'), '100')
      read.push(...answer.body.data.map(({ id }: { id: string }) => id))
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]?.replace(tenant.url, '')
    }
    return read
  }
  const idsOf = async (query: string): Promise<string[]> =>
    (await partner('GET', `${locations}?${query}`)).body.data.map(({ id }: { id: string }) => id)
  t.same(await idsOf('limit=2000'), ids, 'more than the most is the most')
  t.same(await idsOf('offset=1'), ids.slice(1))
  t.same(await idsOf('offset=3'), [])

  const { last_updated } = await seen(partner, 'LOC-P1', () => true)
  t.same(await idsOf(`date_from=${last_updated}`), ['LOC-P1', 'LOC-P2'], 'date_from is inclusive')
  t.same(await idsOf(`date_to=${last_updated}`), ['LOC-P3'], 'date_to is exclusive')
  await tenant.request('PATCH', '/api/v1/chargepoints/LOC-P3', { name: 'Another name' })
  const changed = await seen(partner, 'LOC-P3', ({ name }) => name === 'Another name')
  t.same(await idsOf(`date_from=${changed.last_updated.replace('Z', '')}`), ['LOC-P3'], 'without Z is UTC')
  t.same(await idsOf(`date_from=${last_updated}`), ids, 'what has changed keeps its place')
  t.same(await crawl(`limit=1&date_from=${changed.last_updated}`), ['LOC-P3'])
  for (const query of ['limit=0', 'limit=-1', 'limit=x', 'offset=-1', 'date_from=yesterday', 'after=x'])
    t.match(await partner('GET', `${locations}?${query}`), { status: 200, body: { status_code: 2001 } }, query)
})

test('ocpi locations - a partner sees those of its organization alone, and of these only those that it may', async (t) => {
  const [one, other] = [await operatorOf(laboratory), await operatorOf(laboratory)]
  for (const [tenant, ids] of [
    [one, ['LOC-T1', 'LOC-T2']],
    [other, ['LOC-T3']],
  ] as const)
    for (const id of ids) {
      await tenant.register(id)
      await details(tenant, `chargepoints/${id}`, { publish: true, city: 'Utrecht' })
    }
  const all = await partnerOf(t, one)
  const some = await partnerOf(t, one, { location_ids: ['LOC-T2', 'LOC-T3'] })
  await seen(all, 'LOC-T1', () => true)
  await seen(some, 'LOC-T2', () => true)
  t.equal((await all('GET', `${locations}/LOC-T3`)).status, 404)
  t.equal((await some('GET', `${locations}/LOC-T1`)).status, 404)
  t.equal((await some('GET', `${locations}/LOC-T3`)).status, 404)
  const { body, headers } = await some('GET', locations)
  t.match(body.data, [{ id: 'LOC-T2' }])
  t.equal(headers.get('x-total-count'), '1')
})

test('ocpi locations - the operator sees what is missing, in sentences, and what has no party yet', async (t) => {
  const tenant = await tenantOf(laboratory)
  await tenant.register('LOC-M1', { address: '', latitude: 0, longitude: 0 })
  const list = async () => (await tenant.request('GET', '/api/v1/ocpi/locations')).body
  t.match(await list(), {
    total: 1,
    locations: [{ charge_point_id: 'LOC-M1', publishable: false, missing: [{ field: 'party' }], last_updated: null }],
  })
  await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id: 'LMM' })
  t.same((await list()).locations[0].missing, [
    { field: 'address', message: 'The charge point has no address. Set `address` of the charge point.' },
    {
      field: 'latitude',
      message: 'The charge point has no coordinates. Set `latitude` and `longitude` of the charge point.',
    },
  ])
  const wrong = [
    { publish: true, time_zone: 'Mars/Olympus' },
    { country: 'XX' },
    { connectors: [{ connector_id: 1 }, { connector_id: 1 }] },
    { connectors: [{ connector_id: 1, standard: 'SCHUKO' }] },
    { opening_times: { twentyfourseven: false, regular_hours: [{ weekday: 8, period_begin: '1', period_end: '2' }] } },
  ]
  for (const body of wrong)
    t.equal((await details(tenant, 'chargepoints/LOC-M1', body)).status, 400, JSON.stringify(body))
  const said = { publish: true, city: 'Utrecht', floor_level: '-1', connectors: [{ connector_id: 1, format: 'CABLE' }] }
  await details(tenant, 'chargepoints/LOC-M1', said)
  const { body: shown } = await tenant.request('GET', '/api/v1/chargepoints/LOC-M1/ocpi')
  t.match(shown, { city: 'Utrecht', state: null, connectors: [{ connector_id: 1, format: 'CABLE', standard: null }] })
  const { location_id, publishable, published, missing, location, ...again } = shown
  t.equal((await details(tenant, 'chargepoints/LOC-M1', again)).status, 200, 'what was read may be sent back')
  t.match((await list()).locations[0], { publish: true, published: false })
})

test('ocpi locations - those that were there before the organization became a party are seen once it is one', async (t) => {
  const tenant = await tenantOf(laboratory)
  await tenant.register('LOC-B1')
  await details(tenant, 'chargepoints/LOC-B1', { publish: true, city: 'Utrecht' })
  await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id: 'LBB' })
  const partner = await partnerOf(t, tenant)
  t.match(await seen(partner, 'LOC-B1', () => true), { party_id: 'LBB', evses: [{ evse_id: 'NL*LBB*ELOC*B1*1' }] })
  await tenant.request('PUT', `/api/v1/organizations/${tenant.id}/settings`, { timezone: 'Europe/Lisbon' })
  await seen(partner, 'LOC-B1', ({ time_zone }) => time_zone === 'Europe/Lisbon')
})

test('ocpi locations - connectors name the tariff at which they sell, as long as partners can be offered it', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const tariff = { name: 'T', currency: 'EUR', tax_percentage: 21, components: [{ type: 'energy', price: 0.4 }] }
  const { tariff_id } = (await tenant.request('POST', '/api/v1/billing/tariffs', tariff)).body
  await tenant.register('LOC-C1', { connector_count: 1 })
  await details(tenant, 'chargepoints/LOC-C1', { publish: true, city: 'Utrecht' })
  const idsOf = (location: { evses: { connectors: { tariff_ids?: string[] }[] }[] }): string[] =>
    location.evses[0]?.connectors[0]?.tariff_ids ?? []
  await seen(partner, 'LOC-C1', (one) => idsOf(one).length === 0)
  await tenant.request('PUT', '/api/v1/chargepoints/LOC-C1/tariff', { tariff_id })
  t.same(idsOf(await seen(partner, 'LOC-C1', (one) => idsOf(one).length > 0)), [tariff_id])
  const rule = {
    name: 'R',
    priority: 1,
    conditions: [],
    actions: [{ type: 'discount_percent', value: 15 }],
  }
  const { rule_id } = (await tenant.request('POST', '/api/v1/billing/rules', rule)).body
  t.type(rule_id, 'string')
  await seen(partner, 'LOC-C1', (one) => idsOf(one).length === 0)
  await tenant.request('DELETE', `/api/v1/billing/rules/${rule_id}`)
  await seen(partner, 'LOC-C1', (one) => idsOf(one).length === 1)
})

test('ocpi locations - a tariff with hours is named everywhere, and offered with the prices of now', async (t) => {
  const tenant = await operatorOf(laboratory)
  await tenant.request('PUT', `/api/v1/organizations/${tenant.id}/settings`, { timezone: 'Europe/Amsterdam' })
  const partner = await partnerOf(t, tenant)
  const components = [{ type: 'energy', price: 0.4 }]
  const tariff = { name: 'T', currency: 'EUR', tax_percentage: 21, components }
  const { tariff_id } = (await tenant.request('POST', '/api/v1/billing/tariffs', tariff)).body
  const path = `/api/v1/tariffs/${tariff_id}`
  const always = [{ band: 'always', components: [{ type: 'energy', price: 0.2 }] }]
  t.equal((await tenant.request('POST', `${path}/rates`, always)).status, 200)
  const entries = [{ band: 'always', start_time: '00:00', end_time: '00:00', to_date: '2099-12-31' }]
  t.equal((await tenant.request('PUT', `${path}/schedule`, entries)).status, 200)
  const idsOf = (location: { evses: { connectors: { tariff_ids?: string[] }[] }[] }): string[] =>
    location.evses[0]?.connectors[0]?.tariff_ids ?? []
  for (const id of ['LOC-Z1', 'LOC-Z2']) {
    await tenant.register(id, { connector_count: 1 })
    await tenant.request('PUT', `/api/v1/chargepoints/${id}/tariff`, { tariff_id })
  }
  await details(tenant, 'chargepoints/LOC-Z1', { publish: true, city: 'Utrecht' })
  await details(tenant, 'chargepoints/LOC-Z2', { publish: true, city: 'Lisbon', time_zone: 'Europe/Lisbon' })
  for (const id of ['LOC-Z1', 'LOC-Z2']) await seen(partner, id, (one) => idsOf(one)[0] === tariff_id)
  const { body } = await partner('GET', '/ocpi/cpo/2.2.1/tariffs')
  t.match(body.data, [{ id: tariff_id, elements: [{ price_components: [{ type: 'ENERGY', price: 0.2 }] }] }])
  t.equal(body.data[0].elements[0].restrictions, undefined)
})
