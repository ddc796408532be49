// Field note 13 (evcc#30247, ev-server's soft stop).

import { test } from 'tap'
import { bootChargePoint, energyAt, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const flags = ['--provisional-close-seconds', '1']

const report = (client: OcppClient, connectorId: number, status: string) =>
  client.call('StatusNotification', { connectorId, status, errorCode: 'NoError' })

async function begin(client: OcppClient, connectorId: number, idTag: string): Promise<number> {
  return (await client.call('StartTransaction', startRequest({ connectorId, idTag }))).payload.transactionId
}

const service = await sharedService(flags)

test('the connector is Available and StopTransaction never comes - the session is ended by estimate, and a late stop refines it', async (t) => {
  const client = await bootChargePoint(service, 'CP-13-1')
  const transactionId = await begin(client, 1, 'TAG-1')
  await report(client, 1, 'Charging')
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue: [energyAt(secondsAgo(120), 3000)] })
  await report(client, 1, 'Available')

  const estimated = await until(async () => {
    const session = await sessionOf(service, 'CP-13-1', transactionId)
    return session.status === 'active' ? undefined : session
  })
  t.match(estimated, { status: 'estimated', energy_kwh: 2, flags: ['estimated_close'] })

  await client.call('StopTransaction', {
    transactionId,
    meterStop: 3210,
    timestamp: secondsAgo(60),
    reason: 'EVDisconnected',
  })
  const refined = await sessionOf(service, 'CP-13-1', transactionId)
  t.match(refined, { status: 'completed', meter_stop: 3210, energy_kwh: 2.21, stop_reason: 'EVDisconnected' })
  t.same(refined.flags, [], 'nothing is an estimate any more')
})

test('Available comes before StopTransaction - the stop ends the session, and the next one on the connector is left alone', async (t) => {
  const client = await bootChargePoint(service, 'CP-13-21')
  const first = await begin(client, 1, 'TAG-1')
  await report(client, 1, 'Charging')
  await report(client, 1, 'Available')
  await client.call('StopTransaction', { transactionId: first, meterStop: 1500, timestamp: secondsAgo(60) })
  t.match(await sessionOf(service, 'CP-13-21', first), { status: 'completed', energy_kwh: 0.5 })

  // The next driver starts at once, and this charger does not report Charging.
  const next = await begin(client, 1, 'TAG-2')
  const other = await begin(client, 2, 'TAG-3')
  await report(client, 2, 'Charging')
  await report(client, 2, 'Available')
  await until(async () => (await sessionOf(service, 'CP-13-21', other)).status === 'estimated')
  t.match(
    await sessionOf(service, 'CP-13-21', next),
    { status: 'active' },
    'older words of the connector do not end it',
  )

  await report(client, 1, 'Available')
  await until(async () => (await sessionOf(service, 'CP-13-21', next)).status === 'estimated')
  t.pass('but Available after its start does, though the status is the same as before')
})
