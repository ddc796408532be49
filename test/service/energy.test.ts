// What a session is said to have taken, from the charge point's messages to the API.

import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

const shared = await sharedService()

const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()
const register = (value: number, context = 'Sample.Periodic') => ({ value: String(value), unit: 'Wh', context })

test('energy - a StopTransaction without a reading takes the meter values, its own first', async (t) => {
  const service = await tenantOf(shared)
  await service.register('ENERGY-1')
  const client = await connectOcpp(`${service.ocppUrl}/ENERGY-1`)
  await client.boot()

  async function charge(meterStart: number, minutes: number, stop: Readonly<Record<string, unknown>>) {
    const start = { connectorId: 1, idTag: 'TAG-1', meterStart, timestamp: at(minutes) }
    const { transactionId } = (await client.call('StartTransaction', start)).payload
    const meterValue = [{ timestamp: at(minutes + 10), sampledValue: [register(meterStart + 700)] }]
    await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
    const active = await service.request('GET', '/api/v1/ocpp16/active_transactions/ENERGY-1')
    t.match(active.body.active_transactions, [{ current_meter_value: meterStart + 700, energy_delivered_wh: 700 }])
    const stopped = await client.call('StopTransaction', { transactionId, timestamp: at(minutes + 30), ...stop })
    t.equal(stopped.error, undefined)
    return (await service.request('GET', '/api/v1/sessions?per_page=1')).body.sessions[0]
  }

  const own = [{ timestamp: at(-30), sampledValue: [register(900, 'Transaction.End')] }]
  t.match(await charge(0, -300, {}), { energy_kwh: 0.7, meter_stop: 700, flags: ['meter_stop_missing'] })
  t.match(await charge(0, -240, { meterStop: 'none' }), { energy_kwh: 0.7, flags: ['meter_stop_missing'] })
  t.match(await charge(0, -180, { transactionData: own }), { energy_kwh: 0.9, meter_stop: 900 })
  const reset = { energy_kwh: 0.7, meter_stop: 0, flags: ['meter_reset'] }
  t.match(await charge(0, -120, { meterStop: 0 }), reset, '0 is a reading, and takes back nothing that was metered')
  t.match(await charge(0, -60, { meterStop: 2 ** 31 }), { flags: ['energy_implausible'] })
})

test('energy - a register that is rounded below its start counts as nothing, running and closed by estimate', async (t) => {
  const service = await tenantOf(shared)
  await service.register('ENERGY-2')
  const client = await connectOcpp(`${service.ocppUrl}/ENERGY-2`)
  await client.boot()
  const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 12_345_678, timestamp: at(-60) }
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  const meterValue = [{ timestamp: at(-59), sampledValue: [{ value: '12345.6', unit: 'kWh' }] }]
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  const running = await service.request('GET', '/api/v1/sessions')
  t.match(running.body.sessions, [{ status: 'active', energy_kwh: 0 }])
  await client.call('StartTransaction', { ...start, meterStart: 12_345_700, timestamp: at(-10) })
  const closed = await service.request('GET', '/api/v1/sessions?status=estimated')
  t.match(closed.body.sessions, [{ energy_kwh: 0, stop_reason: 'PowerLoss' }])
})

test('energy - a reading after the clock was set back is the newest, running and closed by estimate', async (t) => {
  const service = await tenantOf(shared)
  await service.register('ENERGY-3')
  const client = await connectOcpp(`${service.ocppUrl}/ENERGY-3`)
  await client.boot()
  const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp: at(-60) }
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  const meter = (timestamp: string, wattHours: number) => {
    const meterValue = [{ timestamp, sampledValue: [{ value: String(wattHours) }] }]
    return client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  }
  const before = at(-30)
  await meter(before, 1000)
  await meter(at(-90), 2000)
  await meter(at(-89), 3000)
  await meter(before, 1000)
  t.match((await service.request('GET', '/api/v1/sessions')).body.sessions, [{ status: 'active', energy_kwh: 3 }])
  await client.call('StartTransaction', { ...start, meterStart: 3_000, timestamp: at(-10) })
  const closed = await service.request('GET', '/api/v1/sessions?status=estimated')
  t.match(closed.body.sessions, [{ energy_kwh: 3 }])
})
