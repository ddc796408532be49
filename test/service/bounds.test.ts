// Neither a charge point nor a key makes the service store without bound.

import { test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import { startService } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'

const service = await tenantOf(await sharedService())

/** Other files use the same service. */
async function securityEventsLeftOut(): Promise<number> {
  const { body: metrics } = await service.request('GET', '/metrics')
  return Number(/^ampshard_left_out_total\{.*what="security_event".*\} (\d+)$/m.exec(metrics)?.[1])
}

test('bounds - a charge point that reports security events without end is answered; twenty an hour are published', async (t) => {
  const before = await securityEventsLeftOut()
  const client = await bootChargePoint(service, 'BO-ALARMED')
  const now = Date.now()
  for (let event = 0; event < 25; event++) {
    // One with the time of another would be a repeat.
    const said = { type: 'TamperDetectionActivated', timestamp: new Date(now - event * 1_000).toISOString() }
    t.same((await client.call('SecurityEventNotification', said)).payload, {})
  }
  const { alerts } = (await service.request('GET', '/api/v1/alerts?status=all&kind=security_event&per_page=100')).body
  t.equal(alerts.length, 20)
  t.equal((await securityEventsLeftOut()) - before, 5)
})

test('bounds - what is counted by its reason is in the metrics from the start, as 0', async (t) => {
  const { body: metrics } = await (await startService(t)).request('GET', '/metrics')
  for (const [name, label, ...values] of [
    ['ampshard_left_out_total', 'what', 'meter_values', 'transaction', 'event'],
    ['ampshard_connections_refused_total', 'reason', 'wrong_password', 'too_many_open_files', 'flapping'],
    ['ampshard_requests_refused_total', 'reason', 'rate_of_address', 'malformed_head', 'answer_not_read'],
    ['ampshard_connections_ended_total', 'reason', 'too_much_waiting'],
  ] as const) {
    t.match(metrics, new RegExp(`^# TYPE ${name} counter$`, 'm'))
    for (const value of values) t.match(metrics, new RegExp(`^${name}\\{.*${label}="${value}"\\} 0$`, 'm'), value)
  }
})
