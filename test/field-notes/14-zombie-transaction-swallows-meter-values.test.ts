// Field note 14 (steve#97).

import { test } from 'tap'
import { bootChargePoint, energyAt, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

test('a transaction was never stopped - the next start on its connector ends it at its last reading, and gets the later values', async (t) => {
  const service = await sharedService()
  const client = await bootChargePoint(service, 'CP-14-1')
  const values = (at: number, wattHours: number) =>
    client.call('MeterValues', { connectorId: 1, meterValue: [energyAt(secondsAgo(at), wattHours)] })
  const zombie = (await client.call('StartTransaction', startRequest({ timestamp: secondsAgo(7200) }))).payload
    .transactionId
  await values(7000, 1800)

  const next = startRequest({ meterStart: 5000, timestamp: secondsAgo(600) })
  const { transactionId } = (await client.call('StartTransaction', next)).payload
  await values(300, 5700)
  t.match(await sessionOf(service, 'CP-14-1', zombie), {
    status: 'estimated',
    stop_reason: 'PowerLoss',
    energy_kwh: 0.8,
  })
  t.match(await sessionOf(service, 'CP-14-1', transactionId), { status: 'active', energy_kwh: 0.7 })

  await client.call('StopTransaction', {
    transactionId: zombie,
    meterStop: 1900,
    timestamp: secondsAgo(6900),
    reason: 'PowerLoss',
  })
  t.match(
    await sessionOf(service, 'CP-14-1', zombie),
    { status: 'completed', energy_kwh: 0.9 },
    'its own stop may still come',
  )
  t.match(await sessionOf(service, 'CP-14-1', transactionId), { status: 'active' })
})
