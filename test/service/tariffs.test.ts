// Tariffs, their rates and schedules, and the charge points that sell at them, over the built service.

import { test } from 'tap'
import { bootChargePoint, secondsAgo } from '../support/charge-point.js'
import { changeOwnSettings, makeOrganization, tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

const shared = await sharedService()
const service = await tenantOf(shared)

const wanted = {
  name: 'Public',
  currency: 'EUR',
  components: [{ type: 'energy', price: 0.49 }, { type: 'idle' }],
  tax_percentage: 20,
}

async function makeTariff(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { status, body } = await service.request('POST', '/api/v1/billing/tariffs', { ...wanted, ...fields })
  if (status !== 201) throw new Error(`no tariff was made: ${JSON.stringify(body)}`)
  return body.tariff_id
}

const pathsOf = (answer: { body: { error: { details: { path: string }[] } } }): string[] =>
  answer.body.error.details.map(({ path }) => path)

test('tariffs - made with null for the defaults, listed, replaced whole, removed', async (t) => {
  const made = await service.request('POST', '/api/v1/billing/tariffs', wanted)
  t.equal(made.status, 201)
  t.match(made.body, {
    tariff_id: /^trf_/,
    name: 'Public',
    currency: 'EUR',
    components: [
      { type: 'energy', price: 0.49, step_size: null },
      { type: 'idle', price: null, step_size: null, grace_minutes: null },
    ],
    tax_percentage: 20,
  })
  t.notOk('organization_id' in made.body || 'version' in made.body)
  const path = `/api/v1/billing/tariffs/${made.body.tariff_id}`
  t.same((await service.request('GET', path)).body, made.body)

  const yen = await makeTariff({ currency: 'JPY' })
  const inYen = await service.request('GET', '/api/v1/billing/tariffs?currency=JPY')
  t.match(inYen.body, { data: [{ tariff_id: yen }], total: 1 })
  const newest = await service.request('GET', '/api/v1/billing/tariffs?limit=1')
  t.match(newest.body, { data: [{ tariff_id: yen }], total: 2 })
  t.equal(newest.body.data.length, 1)
  t.match((await service.request('GET', '/api/v1/billing/tariffs?limit=1&page=2')).body, { data: [made.body] })
  t.equal((await service.request('GET', '/api/v1/billing/tariffs?limit=1000')).status, 400)

  const body = { name: 'Dearer', currency: 'KWD', components: [{ type: 'flat', price: 1.125 }] }
  const replaced = await service.request('PUT', path, body)
  t.match(replaced, { status: 200, body: { name: 'Dearer', currency: 'KWD', tax_percentage: 0 } })
  t.equal(replaced.body.created_at, made.body.created_at)
  t.same((await service.request('GET', path)).body, replaced.body)

  t.equal((await service.request('DELETE', path)).status, 204)
  t.equal((await service.request('DELETE', path)).status, 404)
  t.equal((await service.request('PUT', path, body)).status, 404)
})

test('tariffs - what cannot be a tariff is refused, with the place', async (t) => {
  const refused = async (fields: Readonly<Record<string, unknown>>) => {
    const answer = await service.request('POST', '/api/v1/billing/tariffs', { ...wanted, ...fields })
    t.match(answer, { status: 400, body: { error: { code: 'validation_error' } } })
    return pathsOf(answer)
  }
  t.same(await refused({ currency: 'XXX' }), ['/currency'])
  t.same(await refused({ currency: 'DEM' }), ['/currency'])
  t.same(await refused({ currency: 'eur' }), ['/currency'])
  t.same(await refused({ components: [] }), ['/components'])
  t.ok((await refused({ components: [{ type: 'energy', price: -0.01 }] })).includes('/components/0/price'))
  t.ok((await refused({ components: [{ type: 'energy', price: 1_000_001 }] })).includes('/components/0/price'))
  t.ok((await refused({ components: [{ type: 'energy', step_size: 0 }] })).includes('/components/0/step_size'))
  t.ok((await refused({ components: [{ type: 'parking', price: 1 }] })).includes('/components/0/type'))
  const two = [{ type: 'flat' }, { type: 'energy' }, { type: 'energy' }]
  t.same(await refused({ components: two }), ['/components/2/type'])
  t.same(await refused({ components: [{ type: 'time', grace_minutes: 5 }] }), ['/components/0/grace_minutes'])
  t.same(await refused({ tax_percentage: 100.5 }), ['/tax_percentage'])
  t.same(await refused({ name: '' }), ['/name'])
})

test('rates - replaced whole, and what the schedule names must be among them', async (t) => {
  const path = `/api/v1/tariffs/${await makeTariff()}`
  t.match((await service.request('GET', `${path}/rates`)).body, { bands: [], missing_bands: [] })
  t.match((await service.request('GET', `${path}/schedule`)).body, { entries: [], timezone: 'UTC' })
  const night = { band: 'night', components: [{ type: 'energy', price: 0.29 }] }
  const day = { band: 'day', components: [{ type: 'energy', price: 0.59 }] }
  const set = await service.request('POST', `${path}/rates`, [night, day])
  t.match(set, { status: 200, body: { bands: [{ band: 'night' }, { band: 'day' }], missing_bands: [] } })
  t.same(set.body.bands[0].components, [{ type: 'energy', price: 0.29, step_size: null, grace_minutes: null }])

  const twice = await service.request('POST', `${path}/rates`, [night, night])
  t.same([twice.status, pathsOf(twice)], [400, ['/1/band']])
  const doubled = await service.request('POST', `${path}/rates`, [
    { ...day, components: [...day.components, ...day.components] },
  ])
  t.same([doubled.status, pathsOf(doubled)], [400, ['/0/components/1/type']])
  t.equal((await service.request('POST', `${path}/rates`, { bands: [night] })).status, 400)

  const entry = { band: 'night', start_time: '22:00', end_time: '06:00', days: ['fri', 'sat'] }
  const scheduled = await service.request('PUT', `${path}/schedule`, [entry])
  t.match(scheduled, { status: 200, body: { entries: [entry], timezone: 'UTC', missing_bands: [] } })
  t.same((await service.request('GET', `${path}/schedule`)).body, scheduled.body)
  t.match(scheduled.body.entries, [{ from_date: null, to_date: null }])
  const again = await service.request('PUT', `${path}/schedule`, scheduled.body.entries)
  t.same(again.body, scheduled.body, 'what is answered can be sent')
  t.same((await service.request('POST', `${path}/rates`, set.body.bands)).body, set.body)
  const faults: readonly [Readonly<Record<string, unknown>>, string][] = [
    [{ band: 'noon' }, '/0/band'],
    [{ start_time: '24:00' }, '/0/start_time'],
    [{ end_time: '7:00' }, '/0/end_time'],
    [{ days: ['friday'] }, '/0/days/0'],
    [{ days: [] }, '/0/days'],
    [{ from_date: '2026-02-30' }, '/0/from_date'],
    [{ from_date: '2026-03-02', to_date: '2026-03-01' }, '/0/to_date'],
  ]
  for (const [change, where] of faults) {
    const answer = await service.request('PUT', `${path}/schedule`, [{ ...entry, ...change }])
    t.equal(answer.status, 400)
    t.ok(pathsOf(answer).includes(where), where)
  }
  t.same((await service.request('GET', `${path}/schedule`)).body, scheduled.body)
})

test('rates - bands that the schedule names and that are removed: the entries wait for them', async (t) => {
  const tariff = await makeTariff()
  const path = `/api/v1/tariffs/${tariff}`
  await service.register('TA-BANDS')
  await service.request('PUT', '/api/v1/chargepoints/TA-BANDS/tariff', { tariff_id: tariff })
  const bands = [{ band: 'always', components: [{ type: 'energy', price: 0.1 }] }]
  await service.request('POST', `${path}/rates`, bands)
  await service.request('PUT', `${path}/schedule`, [{ band: 'always', start_time: '00:00', end_time: '00:00' }])
  const rate = async () => (await service.request('GET', '/api/v1/tariffs/chargers/TA-BANDS/current-rate')).body
  t.match(await rate(), { band: 'always', components: [{ type: 'energy', price: 0.1, step_size: 1 }] })

  t.equal((await service.request('DELETE', `${path}/rates`)).status, 204)
  t.match(await rate(), { band: null, components: [{ price: 0.49 }, { type: 'idle', price: 0, grace_minutes: 0 }] })
  const schedule = await service.request('GET', `${path}/schedule`)
  t.match(schedule.body, { entries: [{ band: 'always' }], missing_bands: ['always'] })
  t.equal((await service.request('DELETE', `${path}/rates`)).status, 204, 'nothing to remove is no fault')

  await service.request('POST', `${path}/rates`, bands)
  t.match(await rate(), { band: 'always' })
})

test('current rate - by the time zone of the organization', async (t) => {
  // Where it is not the hour that it is in UTC: the band of UTC's hour does not hold there.
  const east = await makeOrganization(shared, { timezone: 'Pacific/Kiritimati' })
  const { body } = await east.request('POST', '/api/v1/billing/tariffs', wanted)
  await east.request('POST', '/api/v1/chargepoints', {
    charge_point_id: 'TA-EAST',
    name: 'East',
    latitude: 1.9,
    longitude: -157.4,
    address: 'Atoll 1',
    connector_count: 1,
    max_power_kw: 22,
  })
  t.equal((await east.request('GET', '/api/v1/tariffs/chargers/TA-EAST/current-rate')).status, 404, 'none is assigned')
  t.equal((await east.request('GET', '/api/v1/chargepoints/TA-EAST/tariff')).status, 404)
  await east.request('PUT', '/api/v1/chargepoints/TA-EAST/tariff', { tariff_id: body.tariff_id })
  const bands = ['early', 'late'].map((band, at) => ({ band, components: [{ type: 'energy', price: at + 1 }] }))
  await east.request('POST', `/api/v1/tariffs/${body.tariff_id}/rates`, bands)
  await east.request('PUT', `/api/v1/tariffs/${body.tariff_id}/schedule`, [
    { band: 'early', start_time: '00:00', end_time: '12:00' },
    { band: 'late', start_time: '12:00', end_time: '00:00' },
  ])
  const rate = await east.request('GET', '/api/v1/tariffs/chargers/TA-EAST/current-rate')
  t.match(rate.body, { tariff_id: body.tariff_id, currency: 'EUR', tax_percentage: 20, timezone: 'Pacific/Kiritimati' })
  // 14 hours ahead of UTC all year.
  const hour = (new Date(rate.body.evaluated_at).getUTCHours() + 14) % 24
  t.equal(rate.body.band, hour < 12 ? 'early' : 'late')
})

test('assignment - a tariff in use stays; a removed charge point leaves none behind', async (t) => {
  const tariff = await makeTariff()
  const path = '/api/v1/chargepoints/TA-ASSIGNED/tariff'
  await service.register('TA-ASSIGNED')
  t.equal((await service.request('GET', path)).status, 404)
  t.equal((await service.request('PUT', path, {})).status, 400)
  t.equal((await service.request('PUT', path, { tariff_id: 'trf_none' })).status, 404)
  const assigned = await service.request('PUT', path, { tariff_id: tariff })
  t.match(assigned, { status: 200, body: { charge_point_id: 'TA-ASSIGNED', tariff_id: tariff, assigned_at: /Z$/ } })
  t.match((await service.request('GET', path)).body, { ...assigned.body, tariff: { name: 'Public' } })
  const refused = await service.request('DELETE', `/api/v1/billing/tariffs/${tariff}`)
  t.match(refused, { status: 409, body: { error: { code: 'tariff_in_use', message: /assign another tariff/ } } })

  t.equal((await service.request('DELETE', '/api/v1/chargepoints/TA-ASSIGNED')).status, 204)
  t.equal((await service.request('GET', path)).status, 404)
  await service.register('TA-ASSIGNED')
  t.equal((await service.request('GET', path)).status, 404, 'the id comes back without its tariff')
  await service.request('PUT', path, { tariff_id: tariff })
  const none = await service.request('PUT', path, { tariff_id: null })
  t.match(none, { status: 200, body: { tariff_id: null, assigned_at: null } })
  t.equal((await service.request('DELETE', `/api/v1/billing/tariffs/${tariff}`)).status, 204)
})

test('tariffs - another organization sees, changes and assigns none of them', async (t) => {
  const tariff = await makeTariff()
  await service.register('TA-OWN')
  await service.request('PUT', '/api/v1/chargepoints/TA-OWN/tariff', { tariff_id: tariff })
  const other = await makeOrganization(shared)
  const requests: readonly [string, string, unknown?][] = [
    ['GET', `/api/v1/billing/tariffs/${tariff}`],
    ['PUT', `/api/v1/billing/tariffs/${tariff}`, wanted],
    ['DELETE', `/api/v1/billing/tariffs/${tariff}`],
    ['GET', `/api/v1/tariffs/${tariff}/rates`],
    ['POST', `/api/v1/tariffs/${tariff}/rates`, []],
    ['DELETE', `/api/v1/tariffs/${tariff}/rates`],
    ['GET', `/api/v1/tariffs/${tariff}/schedule`],
    ['PUT', `/api/v1/tariffs/${tariff}/schedule`, []],
    ['GET', '/api/v1/tariffs/chargers/TA-OWN/current-rate'],
    ['GET', '/api/v1/chargepoints/TA-OWN/tariff'],
    ['PUT', '/api/v1/chargepoints/TA-OWN/tariff', { tariff_id: null }],
  ]
  for (const [method, path, body] of requests)
    t.match(await other.request(method, path, body), { status: 404, body: { error: { code: 'not_found' } } }, path)
  t.equal((await other.request('GET', '/api/v1/billing/tariffs')).body.total, 0)
  const own = await other.request('POST', '/api/v1/billing/tariffs', wanted)
  const foreign = await service.request('PUT', '/api/v1/chargepoints/TA-OWN/tariff', { tariff_id: own.body.tariff_id })
  t.equal(foreign.status, 404)
})

test('tariffs - changes at the same time: each is whole, and an assigned tariff is never removed', async (t) => {
  const tariff = await makeTariff()
  const path = `/api/v1/billing/tariffs/${tariff}`
  const versions = ['A', 'B'].map((name, at) => ({ ...wanted, name, components: [{ type: 'energy', price: at + 1 }] }))
  const answers = await Promise.all(versions.map((body) => service.request('PUT', path, body)))
  t.same(
    answers.map(({ status }) => status),
    [200, 200],
  )
  const { body } = await service.request('GET', path)
  t.equal(body.components[0].price, body.name === 'A' ? 1 : 2)

  for (let round = 0; round < 10; round++) {
    const contested = await makeTariff()
    const id = `TA-RACE-${round}`
    await service.register(id)
    const assignment = `/api/v1/chargepoints/${id}/tariff`
    const [assigned, removed] = await Promise.all([
      service.request('PUT', assignment, { tariff_id: contested }),
      service.request('DELETE', `/api/v1/billing/tariffs/${contested}`),
    ])
    const outcome = [assigned.status, removed.status]
    t.ok(outcome.join() === '200,409' || outcome.join() === '404,204', outcome.join())
    t.equal((await service.request('GET', assignment)).status, assigned.status)
  }
})

test('tariffs - the default of an organization is sold at where a charge point has none of its own, and stays while it is', async (t) => {
  const other = await makeOrganization(shared)
  const settings = `/api/v1/organizations/${other.id}/settings`
  const tariff = async (price: number): Promise<string> => {
    const components = [{ type: 'energy', price }]
    return (await other.request('POST', '/api/v1/billing/tariffs', { ...wanted, components })).body.tariff_id
  }
  for (const id of ['DEF-1', 'DEF-2'])
    await other.request('POST', '/api/v1/chargepoints', {
      charge_point_id: id,
      name: id,
      latitude: 0,
      longitude: 0,
      address: '',
      connector_count: 1,
      max_power_kw: 22,
    })
  const withoutTariff = async (): Promise<string[]> => {
    const { body } = await other.request('GET', '/api/v1/chargepoints?tariff=none')
    const ids = body.charge_points.map(({ charge_point_id }: { charge_point_id: string }) => charge_point_id)
    t.equal(body.total, ids.length)
    return ids
  }
  const rate = async (id: string) => (await other.request('GET', `/api/v1/tariffs/chargers/${id}/current-rate`)).body
  const [own, general] = [await tariff(0.3), await tariff(0.6)]
  t.same(await withoutTariff(), ['DEF-1', 'DEF-2'])
  const assigned = await other.request('PUT', '/api/v1/chargepoints/DEF-1/tariff', { tariff_id: own })
  t.match(assigned.body, { tariff_id: own, source: 'charge_point' })
  t.same(await withoutTariff(), ['DEF-2'])
  t.match(await rate('DEF-2'), { error: { code: 'not_found' } })

  const foreign = await makeTariff()
  t.equal((await other.request('PUT', settings, { default_tariff_id: foreign })).status, 404)
  t.match(await other.request('PUT', settings, { default_tariff_id: general }), {
    status: 200,
    body: { default_tariff_id: general },
  })
  t.same(await withoutTariff(), [])
  t.match(await rate('DEF-1'), { tariff_id: own, components: [{ price: 0.3 }] })
  t.match(await rate('DEF-2'), { tariff_id: general, components: [{ price: 0.6 }] })
  t.match((await other.request('GET', '/api/v1/chargepoints/DEF-2/tariff')).body, {
    tariff_id: general,
    assigned_at: null,
    source: 'organization',
  })
  const removal = await other.request('DELETE', `/api/v1/billing/tariffs/${general}`)
  t.match(removal, {
    status: 409,
    body: { error: { code: 'tariff_in_use', message: /set another default_tariff_id/ } },
  })
  t.match((await other.request('PUT', '/api/v1/chargepoints/DEF-1/tariff', { tariff_id: null })).body, {
    tariff_id: general,
    source: 'organization',
  })
  await other.request('PUT', settings, { default_tariff_id: null })
  t.same(await withoutTariff(), ['DEF-1', 'DEF-2'])
  t.equal((await other.request('DELETE', `/api/v1/billing/tariffs/${general}`)).status, 204)
})

test('tariffs - charging without one is told once for each charge point, and not where it is meant', async (t) => {
  const told = async (): Promise<unknown[]> =>
    (await service.request('GET', '/api/v1/alerts?status=all&kind=charging_without_tariff')).body.alerts
  const charge = async (id: string, times: number): Promise<void> => {
    await service.register(id)
    const client = await bootChargePoint(service, id)
    for (let at = 0; at < times; at++)
      await client.call('StartTransaction', {
        connectorId: 1,
        idTag: 'TAG-1',
        meterStart: at,
        timestamp: secondsAgo(60 - at),
      })
    await client.close()
  }
  await charge('FREE-1', 3)
  await charge('FREE-2', 1)
  t.same((await told()).map((alert) => (alert as { charge_point_id: string }).charge_point_id).sort(), [
    'FREE-1',
    'FREE-2',
  ])
  await changeOwnSettings(service, { free_charging: true })
  await charge('FREE-3', 1)
  t.equal((await told()).length, 2)
})
