// Field note 11 (connectorio-addons#161).

import { test } from 'tap'
import { bootChargePoint, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

test('two outlets, and two charge points, start alike at the same moment - every transaction has an id of its own', async (t) => {
  const service = await sharedService()
  const clients = [await bootChargePoint(service, 'CP-11-1'), await bootChargePoint(service, 'CP-11-2')]
  const start = startRequest()
  const answers = await Promise.all(
    clients.flatMap((client) =>
      [1, 2].map((connectorId) => client.call('StartTransaction', { ...start, connectorId })),
    ),
  )
  const ids = answers.map(({ payload }) => payload.transactionId as number)
  t.equal(new Set(ids).size, 4)

  await clients[0]?.call('StopTransaction', { transactionId: ids[1], meterStop: 2500, timestamp: secondsAgo(60) })
  t.match(await sessionOf(service, 'CP-11-1', ids[1] as number), {
    status: 'completed',
    connector_id: 2,
    energy_kwh: 1.5,
  })
  t.match(await sessionOf(service, 'CP-11-1', ids[0] as number), { status: 'active', connector_id: 1 })
  t.match(await sessionOf(service, 'CP-11-2', ids[3] as number), { status: 'active', connector_id: 2 })
})
