// Field note 15 (MicroOcpp#311, #24, steve#136).

import { test } from 'tap'
import { bootChargePoint, secondsAgo, sessionOf, startRequest, statusOf } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

const aboutNow = (text: string): boolean => Math.abs(Date.now() - Date.parse(text)) < 60_000

const service = await sharedService()

test('the clock says 1970, or is hours ahead - the time of arrival counts, and the session says so', async (t) => {
  const client = await bootChargePoint(service, 'CP-15-1')
  for (const [at, timestamp] of ['1970-01-01T00:00:12Z', secondsAgo(-2 * 3600)].entries()) {
    const connectorId = at + 1
    await client.call('StatusNotification', { connectorId, status: 'Charging', errorCode: 'NoError', timestamp })
    const { connectors } = await statusOf(service, 'CP-15-1')
    const connector = connectors.find((entry: { connector_id: number }) => entry.connector_id === connectorId)
    t.equal(connector.status, 'Charging')
    t.ok(aboutNow(connector.timestamp), `${timestamp} is not shown as the time of the status`)

    const { transactionId } = (await client.call('StartTransaction', startRequest({ connectorId, timestamp }))).payload
    const started = await sessionOf(service, 'CP-15-1', transactionId)
    t.ok(aboutNow(started.started_at))
    t.match(started, { flags: ['clock_suspect'] })
    await client.call('StopTransaction', { transactionId, meterStop: 2000, timestamp })
    const stopped = await sessionOf(service, 'CP-15-1', transactionId)
    t.match(stopped, { status: 'completed', energy_kwh: 1, flags: ['clock_suspect'] })
    t.ok(aboutNow(stopped.ended_at))
  }
})

test('values from 1970 share one message - the last of them is the present reading', async (t) => {
  const client = await bootChargePoint(service, 'CP-15-21')
  const { transactionId } = (await client.call('StartTransaction', startRequest())).payload
  const sample = (value: string, measurand?: string) => ({
    timestamp: '1970-01-01T00:00:12Z',
    sampledValue: [{ value, ...(measurand !== undefined && { measurand }) }],
  })
  // One element per measurand, all of one instant: some chargers write them so.
  const meterValue = [sample('1200'), sample('1500'), sample('230', 'Voltage')]
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  t.match(await sessionOf(service, 'CP-15-21', transactionId), { energy_kwh: 0.5 })
})
