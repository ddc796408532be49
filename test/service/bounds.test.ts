// Neither a charge point nor a key makes the service store without bound.

import { test } from 'tap'
import { bootChargePoint, secondsAgo } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

const service = await tenantOf(await sharedService())

test('bounds - a charge point that reports security events without end is answered; twenty an hour are published', async (t) => {
  const client = await bootChargePoint(service, 'BO-ALARMED')
  for (let event = 0; event < 25; event++) {
    const said = { type: 'TamperDetectionActivated', timestamp: secondsAgo(event) }
    t.same((await client.call('SecurityEventNotification', said)).payload, {})
  }
  const { alerts } = (await service.request('GET', '/api/v1/alerts?status=all&kind=security_event&per_page=100')).body
  t.equal(alerts.length, 20)
  const { body: metrics } = await service.request('GET', '/metrics')
  t.match(metrics, /^ampshard_left_out_total\{.*what="security_event".*\} 5$/m)
})
