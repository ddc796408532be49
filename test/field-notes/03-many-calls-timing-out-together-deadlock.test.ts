// Field note 3 (lorenzodonini/ocpp-go#412).

import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { sharedService } from '../support/shared-services.js'

const chargePointIds = Array.from({ length: 100 }, (_, index) => `CP-3-${index}`)

test('a hundred calls time out at the same moment - each ends as Timeout, and every charge point is served as before', async (t) => {
  const service = await sharedService(['--unknown-charge-points', 'accept'])
  const clients = await Promise.all(
    chargePointIds.map(async (id) => {
      const client = await connectOcpp(`${service.ocppUrl}/${id}`)
      await client.boot()
      return client
    }),
  )
  const bulk = (timeoutSeconds: number) =>
    service.request('POST', '/api/v1/cpo/commands/bulk', {
      charge_point_ids: chargePointIds,
      command: 'soft_reset',
      timeout_seconds: timeoutSeconds,
    })

  const unanswered = await bulk(3)
  t.match(unanswered.body, { total: 100, succeeded: 0, failed: 100 })
  t.ok(unanswered.body.results.every(({ status }: { status: string }) => status === 'Timeout'))
  await Promise.all(clients.map((client) => client.nextFrame()))

  const heartbeats = await Promise.all(clients.map((client) => client.call('Heartbeat', {})))
  t.ok(
    heartbeats.every(({ error }) => error === undefined),
    'calls of the charge points are answered',
  )
  const answered = bulk(60)
  await Promise.all(clients.map((client) => client.answerNext({ status: 'Accepted' })))
  t.match((await answered).body, { total: 100, succeeded: 100, failed: 0 }, 'and the next calls go out')
})
