// Field note 8 (steve#156, connectorio-addons#199).

import { test } from 'tap'
import { bootChargePoint, secondsAgo, sessionsOf } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

test('StopTransaction names a transaction that nobody knows - it is answered, kept apart once, and the queue goes on', async (t) => {
  const service = await sharedService()
  const client = await bootChargePoint(service, 'CP-8-1')
  const stop = { transactionId: 987_654, meterStop: 4000, timestamp: secondsAgo(60), reason: 'Local' }

  t.same(await client.call('StopTransaction', stop), { payload: {}, error: undefined })
  t.same(await client.call('StopTransaction', stop), { payload: {}, error: undefined }, 'a repeat too')
  const unreadable = { transactionId: 'none', meterStop: 'x', reason: 'Because', timestamp: 'yesterday' }
  t.match(await client.call('StopTransaction', unreadable), { error: undefined }, 'even one without a usable field')
  t.match(await client.call('Heartbeat', {}), { payload: { currentTime: String } })

  t.same(await sessionsOf(service, 'CP-8-1'), [], 'no session is made up')
  const kept = await service.request('GET', '/api/v1/sessions/unmatched?charge_point_id=CP-8-1')
  t.equal(kept.body.total, 2, 'each different message is kept once')
})
