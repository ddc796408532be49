// Bulk commands over real sockets: when they end, and what they say.

import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'

const deadlineSeconds = 60

test('bulk commands - one is answered when its last charge point has answered, with nothing else going on', async (t) => {
  // Without pings there is nothing else that could wake anybody.
  const service = await startService(t, { flags: ['--ping-interval-seconds', '0'] })
  const ids = Array.from({ length: 20 }, (_, index) => `CP-${index}`)
  const clients = await Promise.all(
    ids.map(async (id) => {
      await service.register(id)
      const client = await connectOcpp(`${service.ocppUrl}/${id}`)
      await client.boot()
      return client
    }),
  )
  const startedAt = performance.now()
  const asked = service.request('POST', '/api/v1/cpo/commands/bulk', {
    charge_point_ids: ids,
    command: 'unlock_connector',
    parameters: { connector_id: 1 },
    timeout_seconds: deadlineSeconds,
  })
  await Promise.all(clients.map((client) => client.answerNext({ status: 'Unlocked' })))
  const answer = await asked
  t.equal(answer.status, 207)
  t.match(answer.body, { total: 20, succeeded: 20, failed: 0 })
  t.ok(performance.now() - startedAt < deadlineSeconds * 1_000, 'before its deadline')
})
