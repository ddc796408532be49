// The summary of the fleet: what it counts, and when.

import { test } from 'tap'
import { createTestApi } from './fixture.js'

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

test('fleet - a clock is called wrong once its alert is, and not for one message that has waited', async (t) => {
  const service = await createTestApi()
  await service.register('A')
  const connection = service.connect('A')
  await service.settled()
  /** The bit of the flags. */
  const isCalledWrong = async (): Promise<boolean> => {
    await service.settled()
    service.fleets.appended([service.operator.organizationId])
    const { body } = await service.call('GET', '/api/v1/cpo/fleet/snapshot')
    return (body.columns.flags[0] & 1) === 1
  }
  const tellLate = (status: string): void => {
    const timestamp = new Date(service.now() - 7_200_000).toISOString()
    service.tellFrom(connection, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status, timestamp })
  }
  tellLate('Preparing')
  t.equal(await isCalledWrong(), false)
  for (const status of ['Available', 'Preparing', 'Available']) {
    await service.pass(200_000)
    tellLate(status)
  }
  t.equal(await isCalledWrong(), true)
})
