// How the service ends when it is told to, with a charge point connected and an API client that keeps its connection.

import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'

test('signals - the service ends in order, also when one wish to end arrives as two signals', async (t) => {
  const service = await startService(t)
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  service.process.kill('SIGINT')
  t.equal(await service.stop('SIGTERM'), 0)
  t.match(await client.closed, { code: 1001 }, 'the charge point is told that the service goes away')
})
