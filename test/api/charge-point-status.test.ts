// The status of charge points and of their connectors, as charge points report it.

import { test } from 'tap'
import { createTestApi } from './fixture.js'

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
    const faulted = statuses.filter((status) => status === 'Faulted').length
    const shown = async () => (await service.call('GET', `/api/v1/chargepoints/${id}`)).body
    const statusOf = async () => (await shown()).status
    t.match(await shown(), { status: expected, faulted_connectors: faulted }, statuses.join())
    service.disconnect(connection)
    await service.settled()
    t.equal(await statusOf(), 'offline', statuses.join())
    t.equal((await shown()).faulted_connectors, 0, 'nothing is known of them now')
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

test('status and search - of one site, also by connector status', async (t) => {
  const service = await createTestApi()
  const place = { name: 'Car park', address: '', max_grid_power_kw: 50, latitude: 52, longitude: 5 }
  const { site_id } = (await service.call('POST', '/api/v1/sites', place)).body
  for (const id of ['A', 'B', 'C']) await service.register(id)
  for (const id of ['A', 'B']) await service.call('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
  const status = 'Faulted'
  for (const id of ['B', 'C']) {
    const connection = service.connect(id)
    service.tellFrom(connection, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status })
  }
  await service.settled()
  const statusPath = '/api/v1/ocpp16/charge_points/status?per_page=50'
  const around = '/api/v1/chargepoints/search?latitude=52.37&longitude=4.9'
  const found = async (path: string) =>
    (await service.call('GET', path)).body.charge_points
      .map((row: { charge_point_id: string; site_id: string | null }) => `${row.charge_point_id} ${row.site_id}`)
      .sort()
  t.same(await found(statusPath), [`A ${site_id}`, `B ${site_id}`, 'C null'])
  t.same(await found(`${statusPath}&site_id=${site_id}`), [`A ${site_id}`, `B ${site_id}`])
  t.same(await found(`${statusPath}&status=${status}`), [`B ${site_id}`, 'C null'])
  t.same(await found(`${statusPath}&status=${status}&site_id=${site_id}`), [`B ${site_id}`])
  t.same(await found(`${around}&site_id=${site_id}`), [`A ${site_id}`, `B ${site_id}`])
  t.same(await found(`${around}&site_id=site_none`), [])
})
