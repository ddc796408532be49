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
