// Field note 17 (libocpp#1130).

import { test } from 'tap'
import { bootChargePoint, chargePointOf, secondsAgo, statusOf } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

test('a status that was reported last has the oldest timestamp - it is the state, because it arrived last', async (t) => {
  const service = await sharedService()
  const client = await bootChargePoint(service, 'CP-17-1')
  const report = (status: string, timestamp: string) =>
    client.call('StatusNotification', { connectorId: 1, status, errorCode: 'NoError', timestamp })
  await report('Available', secondsAgo(10))
  await report('Charging', secondsAgo(5 * 3600))
  t.match(await statusOf(service, 'CP-17-1'), { connectors: [{ connector_id: 1, status: 'Charging' }] })
  t.match(await chargePointOf(service, 'CP-17-1'), { status: 'charging' })
  await report('Faulted', secondsAgo(9 * 3600))
  t.match(await statusOf(service, 'CP-17-1'), { connectors: [{ connector_id: 1, status: 'Faulted' }] })
})
