// How many connectors a charge point has: one that registered itself says so by naming them, and its operator may correct it.

import { test } from 'tap'
import {
  bootChargePoint,
  chargePointOf,
  energyAt,
  secondsAgo,
  sessionOf,
  startRequest,
} from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { sharedService } from '../support/shared-services.js'

const service = await sharedService(['--unknown-charge-points', 'accept'])

const tell = (client: OcppClient, connectorId: number) =>
  client.call('StatusNotification', { connectorId, status: 'Available', errorCode: 'NoError' })

async function registeredItself(id: string): Promise<OcppClient> {
  const client = await connectOcpp(`${service.ocppUrl}/${id}`)
  await client.boot()
  return client
}

test('connectors - of a charge point that registered itself they are not known, until it names them', async (t) => {
  const client = await registeredItself('SELF-1')
  t.match(await chargePointOf(service, 'SELF-1'), { connector_count: null, max_power_kw: null })
  await tell(client, 0)
  t.match(await chargePointOf(service, 'SELF-1'), { connector_count: null })
  await tell(client, 1)
  await tell(client, 3)
  t.match(await chargePointOf(service, 'SELF-1'), { connector_count: 3 })

  const other = await registeredItself('SELF-2')
  const { transactionId } = (await other.call('StartTransaction', startRequest({ connectorId: 2 }))).payload
  t.match(await chargePointOf(service, 'SELF-2'), { connector_count: 2 }, 'also by a transaction')
  await other.call('MeterValues', { connectorId: 2, transactionId, meterValue: [energyAt(secondsAgo(900), 38_500)] })
  await other.call('StopTransaction', { transactionId, meterStop: 38_500, timestamp: secondsAgo(2_700) })
  const session = await sessionOf(service, 'SELF-2', transactionId)
  t.match(session, { energy_kwh: 37.5 })
  t.same(session.flags, [], 'no power was made up that 150 kW would exceed, and no connector is unknown')
})

test('connectors - meter values name their connector, too', async (t) => {
  const client = await registeredItself('SELF-7')
  await client.call('MeterValues', { connectorId: 4, meterValue: [energyAt(secondsAgo(60), 1_000)] })
  t.match(await chargePointOf(service, 'SELF-7'), { connector_count: 4 })
})

test('connectors - a reservation is sent for a connector that may be there, and refused for one that is known not to be', async (t) => {
  const client = await registeredItself('SELF-3')
  const reserve = (connector_id: number) =>
    service.request('POST', '/api/v1/reservations', {
      charge_point_id: 'SELF-3',
      connector_id,
      expiry_date: secondsAgo(-3600),
      id_tag: 'TAG-1',
    })
  const [reserved] = await Promise.all([reserve(2), client.answerNext({ status: 'Accepted' })])
  t.match(reserved, { status: 201 })
  await tell(client, 1)
  await tell(client, 2)
  t.match(await reserve(3), { status: 400, body: { error: { details: [{ path: '/connector_id' }] } } })
})

test('connectors - a remote start names the connector where there is one, and leaves the choice where there may be several', async (t) => {
  const client = await registeredItself('SELF-4')
  const body = { charge_point_id: 'SELF-4', id_tag: 'TAG-1' }
  const asked = async (): Promise<unknown> => {
    const answered = client.answerNext({ status: 'Accepted' })
    await service.request('POST', '/api/v1/ocpp16/remote_start_transaction', body)
    return (await answered)[3]
  }
  t.same(await asked(), { idTag: 'TAG-1' })
  await tell(client, 1)
  t.same(await asked(), { idTag: 'TAG-1', connectorId: 1 })
  await tell(client, 2)
  t.same(await asked(), { idTag: 'TAG-1' })
})

test('connectors - the operator corrects count and place; what the charge point names later counts again', async (t) => {
  const client = await bootChargePoint(service, 'CP-1', { connector_count: 1 })
  await tell(client, 3)
  t.match(await chargePointOf(service, 'CP-1'), { connector_count: 3 })
  const fields = { connector_count: 2, latitude: 48.1, longitude: 11.6 }
  t.match(await service.request('PATCH', '/api/v1/chargepoints/CP-1', fields), { status: 200, body: fields })
  t.match(await chargePointOf(service, 'CP-1'), fields)
  await tell(client, 4)
  t.match(await chargePointOf(service, 'CP-1'), { connector_count: 4 })
  t.match(await service.request('PATCH', '/api/v1/chargepoints/CP-1', { connector_count: 0 }), { status: 400 })

  const search = '/api/v1/chargepoints/search?latitude=48.1&longitude=11.6'
  t.match((await service.request('GET', search)).body.charge_points, [{ charge_point_id: 'CP-1' }])
})

test('connectors - absurd numbers are answered and do not count', async (t) => {
  const client = await registeredItself('SELF-5')
  await tell(client, 1)
  await tell(client, 2_000_000_000)
  await tell(client, 101)
  t.match(await chargePointOf(service, 'SELF-5'), { connector_count: 1 })
  const { transactionId } = (await client.call('StartTransaction', startRequest({ connectorId: 5_000 }))).payload
  t.match(await sessionOf(service, 'SELF-5', transactionId), { connector_id: 5_000, flags: ['unknown_connector'] })
  t.match(await chargePointOf(service, 'SELF-5'), { connector_count: 1 })
  await tell(client, 100)
  t.match(await chargePointOf(service, 'SELF-5'), { connector_count: 100 })
})

test('connectors - other hardware under the same id is counted anew', async (t) => {
  const client = await registeredItself('SELF-6')
  await tell(client, 1)
  await tell(client, 4)
  await client.boot({ chargePointVendor: 'Another', chargePointModel: 'Other' })
  t.match(await chargePointOf(service, 'SELF-6'), { connector_count: null })
  await tell(client, 2)
  t.match(await chargePointOf(service, 'SELF-6'), { connector_count: 2 })
})
