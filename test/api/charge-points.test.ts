import fc from 'fast-check'
import { test } from 'tap'
import { distanceKm } from '../../src/api/areas/charge-points/charge-point-search.js'
import { createTestApi } from './fixture.js'

const registration = {
  charge_point_id: 'CP-1',
  name: 'Bay 1',
  latitude: 52.37,
  longitude: 4.9,
  address: 'Example street 1',
  connector_count: 2,
  max_power_kw: 22,
}

test('charge points - a registered one is offline, readable, changeable and removable', async (t) => {
  const service = await createTestApi()
  const made = await service.call('POST', '/api/v1/chargepoints', registration)
  t.equal(made.status, 201)
  t.match(made.body, { charge_point_id: 'CP-1', name: 'Bay 1', status: 'offline' })
  t.equal(made.body.ocpp_endpoint, 'ws://127.0.0.1:8080/ocpp16/CP-1')
  const read = await service.call('GET', '/api/v1/chargepoints/CP-1')
  t.match(read.body, { ...registration, status: 'offline', created_at: made.body.created_at })
  await service.pass(1_000)
  const changed = await service.call('PATCH', '/api/v1/chargepoints/CP-1', {
    name: 'Bay 2',
    max_power_kw: 11,
    latitude: 51,
    ping_interval_seconds: 0,
  })
  t.equal(changed.status, 200)
  t.match(changed.body, { ...registration, name: 'Bay 2', max_power_kw: 11, latitude: 51, ping_interval_seconds: 0 })
  t.ok(changed.body.updated_at > changed.body.created_at)
  t.same((await service.call('GET', '/api/v1/chargepoints/CP-1')).body, changed.body)
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  t.equal((await service.call('GET', '/api/v1/chargepoints/CP-1')).status, 404)
  t.equal((await service.call('POST', '/api/v1/chargepoints', registration)).status, 201)
})

test('charge points - an id is taken once, whatever its case and whoever has it', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  await service.register('CP-a', {}, other.key)
  for (const id of ['CP-a', 'cp-A', 'CP-A']) {
    const { status, body } = await service.call('POST', '/api/v1/chargepoints', {
      ...registration,
      charge_point_id: id,
    })
    t.equal(status, 409, id)
    t.equal(body.error.code, 'charge_point_exists')
  }
  for (const id of ['bulk', 'history', 'search', '', 'a_b', 'x'.repeat(49)]) {
    const { body } = await service.call('POST', '/api/v1/chargepoints', { ...registration, charge_point_id: id })
    t.equal(body.error.code, 'validation_error', id)
  }
})

test('charge points - of two registrations of one id at the same time, one wins', async (t) => {
  const service = await createTestApi()
  const both = await Promise.all([1, 2].map(() => service.call('POST', '/api/v1/chargepoints', registration)))
  t.same(both.map(({ status }) => status).sort(), [201, 409])
})

test('charge points - changes at the same time are all kept', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const change = (body: unknown) => service.call('PATCH', '/api/v1/chargepoints/CP-1', body)
  const answers = await Promise.all([change({ name: 'New' }), change({ address: 'Elsewhere' })])
  t.same(
    answers.map(({ status }) => status),
    [200, 200],
  )
  t.match((await service.call('GET', '/api/v1/chargepoints/CP-1')).body, { name: 'New', address: 'Elsewhere' })
})

test('charge points - one with a running session stays; removing one closes its socket', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  await service.settled()
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 10, timestamp })
  await service.settled()
  const { status, body } = await service.call('DELETE', '/api/v1/chargepoints/CP-1')
  t.equal(status, 409)
  t.equal(body.error.code, 'conflict')
  const running = await service.call('GET', '/api/v1/ocpp16/active_transactions/CP-1')
  const transactionId = running.body.active_transactions[0].transaction_id
  service.tellFrom(connection, 'StopTransaction', { transactionId, meterStop: 20, timestamp })
  await service.settled()
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  await service.settled()
  t.same(service.closed, [connection])
  t.equal((await service.call('GET', '/api/v1/cpo/fleet/summary')).body.total, 0)
})

test('charge points - an id that is registered again, by another organization, begins anew', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  await service.settled()
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  await service.settled()
  service.disconnect(connection)
  const other = await service.addOrganization()
  await service.register('CP-1', {}, other.key)
  service.connect('CP-1')
  await service.settled()
  const total = async (key: string) =>
    (await service.call('GET', '/api/v1/cpo/fleet/summary', undefined, { key })).body.online
  t.equal(await total(other.key), 1, 'its new owner sees it')
  t.equal(await total(service.operator.key), 0)
})

test('charge points - lists are paged and filtered by status, site and text', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 5; at++)
    await service.register(`CP-${at}`, { name: at % 2 === 0 ? `Harbour ${at}` : 'Station', address: `Damrak ${at}` })
  await service.call('PATCH', '/api/v1/chargepoints/CP-4', { serial_number: 'SN-4711' })
  const connection = service.connect('CP-1')
  await service.settled()
  service.tellFrom(connection, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' })
  service.connect('CP-2')
  await service.settled()
  const ids = async (query: string) => {
    const { body } = await service.call('GET', `/api/v1/chargepoints?${query}`)
    return [body.total, body.charge_points.map((row: { charge_point_id: string }) => row.charge_point_id)]
  }
  t.same(await ids('per_page=2'), [5, ['CP-0', 'CP-1']])
  t.same(await ids('per_page=2&page=3'), [5, ['CP-4']])
  t.same(await ids('per_page=2&page=4'), [5, []])
  t.same(await ids('status=charging'), [1, ['CP-1']])
  t.same(await ids('status=available'), [1, ['CP-2']])
  t.same(await ids('status=offline'), [3, ['CP-0', 'CP-3', 'CP-4']])
  t.same(await ids('status=offline&per_page=1&page=2'), [3, ['CP-3']])
  t.same(await ids('q=harbour'), [3, ['CP-0', 'CP-2', 'CP-4']])
  t.same(await ids('q=cp-3'), [1, ['CP-3']])
  t.same(await ids('q=sn-47'), [1, ['CP-4']])
  t.same(await ids('q=damrak%201'), [1, ['CP-1']])
  t.same(await ids('q=harbour&status=available'), [1, ['CP-2']])
  t.same(await ids('site_id=site_1'), [0, []])
  service.disconnect(connection)
  await service.settled()
  t.same(await ids('status=charging'), [0, []])
})

test('charge points - a filter over more rows than one step reads gives every page once', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 450; at++) await service.register(`CP-${String(at).padStart(4, '0')}`)
  const seen: string[] = []
  for (let page = 1; page <= 3; page++) {
    const { body } = await service.call('GET', `/api/v1/chargepoints?status=offline&per_page=200&page=${page}`)
    t.equal(body.total, 450)
    seen.push(...body.charge_points.map((row: { charge_point_id: string }) => row.charge_point_id))
  }
  t.equal(seen.length, 450)
  t.equal(new Set(seen).size, 450)
})

test('charge points - the status is the first that holds, of what the connectors say', async (t) => {
  const service = await createTestApi()
  const cases: readonly (readonly [statuses: readonly string[], status: string])[] = [
    [[], 'available'],
    [['Available'], 'available'],
    [['Unavailable', 'Available'], 'available'],
    [['Faulted', 'Available'], 'available'],
    [['Unavailable', 'Unavailable'], 'unavailable'],
    [['Preparing', 'Available'], 'occupied'],
    [['Finishing', 'Faulted'], 'occupied'],
    [['Reserved', 'Unavailable'], 'occupied'],
    [['Charging', 'Preparing'], 'charging'],
    [['SuspendedEV', 'Available'], 'charging'],
    [['SuspendedEVSE', 'Faulted'], 'charging'],
    [['Faulted', 'Faulted'], 'faulted'],
    [['Faulted', 'Unavailable'], 'faulted'],
  ]
  for (const [at, [statuses, expected]] of cases.entries()) {
    const id = `CP-${at}`
    await service.register(id)
    const connection = service.connect(id)
    for (const [index, status] of statuses.entries())
      service.tellFrom(connection, 'StatusNotification', { connectorId: index + 1, errorCode: 'NoError', status })
    await service.settled()
    const statusOf = async () => (await service.call('GET', `/api/v1/chargepoints/${id}`)).body.status
    t.equal(await statusOf(), expected, statuses.join())
    service.disconnect(connection)
    await service.settled()
    t.equal(await statusOf(), 'offline', statuses.join())
  }
})

test('status - connectors with their states, also by connector status', async (t) => {
  const service = await createTestApi()
  for (const id of ['A', 'B', 'C']) await service.register(id)
  const connection = service.connect('A')
  await service.settled()
  const report = (connectorId: number, status: string) =>
    service.tellFrom(connection, 'StatusNotification', { connectorId, errorCode: 'NoError', status })
  for (const [connectorId, status] of [
    [0, 'Available'],
    [1, 'Available'],
    [2, 'Faulted'],
  ] as const)
    report(connectorId, status)
  await service.settled()
  const all = await service.call('GET', '/api/v1/ocpp16/charge_points/status')
  t.match(all.body, { total: 3, page: 1, per_page: 50 })
  t.match(all.body.charge_points[0], { charge_point_id: 'A', online: true, last_heartbeat_at: String })
  t.match(all.body.charge_points[0].connectors, [
    { connector_id: 1, status: 'Available', error_code: 'NoError', info: null },
    { connector_id: 2, status: 'Faulted' },
  ])
  t.equal(all.body.charge_points[0].connectors.length, 2)
  t.match(all.body.charge_points[1], { charge_point_id: 'B', online: false, last_heartbeat_at: null, connectors: [] })
  const faulted = await service.call('GET', '/api/v1/ocpp16/charge_points/status?status=Faulted')
  t.match(faulted.body, { total: 1, charge_points: [{ charge_point_id: 'A' }] })
  t.equal((await service.call('GET', '/api/v1/ocpp16/charge_points/status?status=Charging')).body.total, 0)
})

test('fleet - the summary counts what is there', async (t) => {
  const service = await createTestApi()
  for (const id of ['A', 'B', 'C']) await service.register(id)
  const connection = service.connect('A')
  service.connect('B')
  await service.settled()
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' })
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 0, timestamp })
  await service.settled()
  const sampledValue = [{ value: '7400', measurand: 'Power.Active.Import', unit: 'W' }]
  const transactionId = (await service.call('GET', '/api/v1/sessions')).body.sessions[0].transaction_id
  service.tellFrom(connection, 'MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp, sampledValue }],
  })
  await service.settled()
  const { body } = await service.call('GET', '/api/v1/cpo/fleet/summary')
  t.match(body, {
    total: 3,
    online: 2,
    offline: 1,
    by_status: { offline: 1, charging: 1, available: 1, faulted: 0 },
    connectors: { total: 6, offline: 5, by_status: { Charging: 1, Available: 0 } },
    active_sessions: 1,
    power_kw: 7.4,
    updated_at: String,
  })
  service.disconnect(connection)
  await service.settled()
  const away = (await service.call('GET', '/api/v1/cpo/fleet/summary')).body
  t.match(away, { online: 1, connectors: { total: 6, offline: 6, by_status: { Charging: 0, Available: 0 } } })
  const path = '/api/v1/ocpp16/charge_points/status'
  t.match((await service.call('GET', `${path}?status=Charging`)).body, { total: 0, charge_points: [] })
  const [shown] = (await service.call('GET', path)).body.charge_points
  t.match(shown, { online: false, connectors: [{ status: 'Charging' }] }, 'what it last reported, marked')
})

test('fleet - connectors are those that were declared and those that were named beyond, through every correction', async (t) => {
  const service = await createTestApi()
  const connectors = async () => {
    await service.settled()
    return (await service.call('GET', '/api/v1/cpo/fleet/summary')).body.connectors
  }
  for (const id of ['A', 'B', 'C']) await service.register(id)
  t.match(await connectors(), { total: 6, offline: 6 }, 'also of those that never connected')
  const connection = service.connect('A')
  await service.settled()
  const tell = (connectorId: number) =>
    service.tellFrom(connection, 'StatusNotification', { connectorId, errorCode: 'NoError', status: 'Available' })
  tell(4)
  t.match(await connectors(), { total: 8, offline: 7, by_status: { Available: 1 } }, 'it has named its fourth')
  await service.call('PATCH', '/api/v1/chargepoints/A', { connector_count: 5 })
  t.match(await connectors(), { total: 9, offline: 8 }, 'its operator declares one more')
  await service.call('PATCH', '/api/v1/chargepoints/A', { connector_count: 1 })
  t.match(await connectors(), { total: 5, offline: 4 }, 'and then corrects it')
  tell(2)
  t.match(await connectors(), { total: 6, offline: 4, by_status: { Available: 2 } })
  await service.call('DELETE', '/api/v1/chargepoints/A')
  t.match(await connectors(), { total: 4, offline: 4 })
})

test('fleet - a connector that a transaction runs on charges, until something newer is told of it', async (t) => {
  const service = await createTestApi()
  await service.register('A')
  const connection = service.connect('A')
  await service.settled()
  const tell = async (connectorId: number, status: string) => {
    service.tellFrom(connection, 'StatusNotification', { connectorId, errorCode: 'NoError', status })
    await service.settled()
  }
  const start = async (connectorId: number) => {
    const timestamp = new Date(service.now()).toISOString()
    service.tellFrom(connection, 'StartTransaction', { connectorId, idTag: 'A', meterStart: 0, timestamp })
    await service.settled()
    const { sessions } = (await service.call('GET', `/api/v1/sessions?status=active`)).body
    return sessions[0].transaction_id as number
  }
  const stop = async (transactionId: number) => {
    const timestamp = new Date(service.now()).toISOString()
    service.tellFrom(connection, 'StopTransaction', { transactionId, meterStop: 10, timestamp })
    await service.settled()
  }
  const shown = async () => {
    const { body } = await service.call('GET', '/api/v1/ocpp16/charge_points/status')
    const { charging, connectors } = await summary()
    const statuses = body.charge_points[0].connectors.map(
      (one: { connector_id: number; status: string }) => `${one.connector_id} ${one.status}`,
    )
    return { statuses, charging, total: connectors.total, Charging: connectors.by_status.Charging }
  }
  const summary = async () => {
    const { by_status, connectors } = (await service.call('GET', '/api/v1/cpo/fleet/summary')).body
    return { charging: by_status.charging, connectors }
  }
  await tell(1, 'Available')
  const second = await start(2)
  t.same(await shown(), { statuses: ['1 Available', '2 Charging'], charging: 1, total: 2, Charging: 1 })
  const charging = await service.call('GET', '/api/v1/ocpp16/charge_points/status?status=Charging')
  t.equal(charging.body.total, 1)
  await stop(second)
  t.same(
    await shown(),
    { statuses: ['1 Available'], charging: 0, total: 2, Charging: 0 },
    'nobody knows what it is now',
  )
  const first = await start(1)
  t.match(await shown(), { statuses: ['1 Charging'], charging: 1 }, 'what was told before the start is over')
  await tell(1, 'SuspendedEV')
  t.match(await shown(), { statuses: ['1 SuspendedEV'], charging: 1, Charging: 0 })
  await stop(first)
  t.match(await shown(), { statuses: ['1 SuspendedEV'] })
})

test('search - what lies within the radius, nearest first', async (t) => {
  const service = await createTestApi()
  const places = { near: [52.371, 4.9], middle: [52.4, 4.9], far: [52.5, 5.2], abroad: [48.85, 2.35] } as const
  for (const [id, [latitude, longitude]] of Object.entries(places)) await service.register(id, { latitude, longitude })
  const search = async (query: string) => (await service.call('GET', `/api/v1/chargepoints/search?${query}`)).body
  const ids = (body: { charge_points: { charge_point_id: string }[] }) =>
    body.charge_points.map((row) => row.charge_point_id)
  const close = await search('latitude=52.37&longitude=4.9')
  t.same(ids(close), ['near', 'middle'])
  t.equal(close.total, 2)
  t.equal(close.charge_points[0].distance_km, 0.111)
  t.same(ids(await search('latitude=52.37&longitude=4.9&radius_km=50')), ['near', 'middle', 'far'])
  t.same(ids(await search('latitude=52.37&longitude=4.9&radius_km=500&limit=1')), ['near'])
  t.equal((await search('latitude=52.37&longitude=4.9&radius_km=500')).total, 4)
  t.equal((await service.call('GET', '/api/v1/chargepoints/search?latitude=52')).status, 400)
  t.equal((await service.call('GET', '/api/v1/chargepoints/search?latitude=52&longitude=4&radius_km=501')).status, 400)
})

test('search - without a limit fifty are found, and 200 at most', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 51; at++) await service.register(`CP-${at}`)
  const found = async (query: string) =>
    service.call('GET', `/api/v1/chargepoints/search?latitude=52.37&longitude=4.9${query}`)
  const { body } = await found('')
  t.equal(body.charge_points.length, 50)
  t.equal(body.total, 51)
  t.equal((await found('&limit=200')).body.charge_points.length, 51)
  t.equal((await found('&limit=201')).status, 400)
})

test('search - the date line and the poles are no borders', async (t) => {
  const service = await createTestApi()
  const places = { west: [0, 179.95], east: [0, -179.95], pole: [89.9, 10] } as const
  for (const [id, [latitude, longitude]] of Object.entries(places)) await service.register(id, { latitude, longitude })
  const found = async (latitude: number, longitude: number) => {
    const query = `latitude=${latitude}&longitude=${longitude}&radius_km=50`
    const { body } = await service.call('GET', `/api/v1/chargepoints/search?${query}`)
    return body.charge_points.map((row: { charge_point_id: string }) => row.charge_point_id).sort()
  }
  t.same(await found(0, 179.9), ['east', 'west'])
  t.same(await found(0, -179.9), ['east', 'west'])
  t.same(await found(0, 180), ['east', 'west'])
  t.same(await found(89.9, -170), ['pole'])
})

test('search - finds exactly what the distance says, at the poles and across the date line too', async (t) => {
  const service = await createTestApi()
  const latitude = fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 89.9, 0))
  const longitude = fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.constantFrom(-180, 180, 179.95, -179.95),
  )
  const place = fc.record({ latitude, longitude })
  const offset = fc.double({ min: -6, max: 6, noNaN: true })
  const clamp = (value: number, bound: number) => Math.max(-bound, Math.min(bound, value))
  let next = 0
  const around = fc.record({ centre: place, offsets: fc.array(fc.tuple(offset, offset), { maxLength: 6 }) })
  await fc.assert(
    fc.asyncProperty(around, fc.double({ min: 0.1, max: 500, noNaN: true }), async ({ centre, offsets }, radius) => {
      const organization = await service.addOrganization()
      const placed = offsets.map(([north, east]) => {
        const wrapped = ((centre.longitude + east + 540) % 360) - 180
        return { id: `P-${next++}`, latitude: clamp(centre.latitude + north, 90), longitude: clamp(wrapped, 180) }
      })
      for (const { id, ...spot } of placed) await service.register(id, spot, organization.key)
      const query = `latitude=${centre.latitude}&longitude=${centre.longitude}&radius_km=${radius}`
      const { body } = await service.call('GET', `/api/v1/chargepoints/search?${query}`, undefined, organization)
      const expected = placed.filter((spot) => distanceKm(centre, spot) <= radius).map(({ id }) => id)
      const found = body.charge_points.map((row: { charge_point_id: string }) => row.charge_point_id)
      return expected.length === found.length && expected.every((id) => found.includes(id))
    }),
    { numRuns: 60 },
  )
  t.pass()
})
