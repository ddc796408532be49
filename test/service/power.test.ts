// The power that the fleet summary shows: of every running session, and of nothing else.

import { test } from 'tap'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { testOverKill } from '../support/over-a-kill.js'
import type { Service } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'

const now = (): string => new Date().toISOString()

async function powerOf(service: Service): Promise<number> {
  return (await service.request('GET', '/api/v1/cpo/fleet/summary')).body.power_kw
}

async function charge(client: OcppClient, connectorId: number, watts: number): Promise<number> {
  const start = { connectorId, idTag: 'TAG-1', meterStart: 0, timestamp: now() }
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  const sampledValue = [{ value: String(watts), measurand: 'Power.Active.Import', unit: 'W' }]
  await client.call('MeterValues', { connectorId, transactionId, meterValue: [{ timestamp: now(), sampledValue }] })
  return transactionId
}

test('power - is the sum of the connectors that charge, and ends with each session', async (t) => {
  const service = await tenantOf(await sharedService())
  await service.register('POWER-1')
  const client = await connectOcpp(`${service.ocppUrl}/POWER-1`)
  await client.boot()
  const first = await charge(client, 1, 7000)
  const second = await charge(client, 2, 8000)
  t.equal(await powerOf(service), 15)
  await client.call('StopTransaction', { transactionId: first, meterStop: 10, timestamp: now() })
  t.equal(await powerOf(service), 8)
  await client.call('StopTransaction', { transactionId: second, meterStop: 10, timestamp: now() })
  t.equal(await powerOf(service), 0)
})

testOverKill('power - what was metered before a restart of the service is not shown after it', async (t, first) => {
  await first.register('POWER-2')
  const before = await connectOcpp(`${first.ocppUrl}/POWER-2`)
  await before.boot()
  await charge(before, 1, 7000)
  t.equal(await powerOf(first), 7)

  return async (t, second) => {
    t.equal(await powerOf(second), 0)
    const after = await connectOcpp(`${second.ocppUrl}/POWER-2`)
    await after.call('Heartbeat', {})
    t.equal(await powerOf(second), 0)
    await charge(after, 1, 6000)
    t.equal(await powerOf(second), 6)
  }
})
