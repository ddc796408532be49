// Charge points that come and go must not keep the others from being pinged: the walk over the sockets has an end.

import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const seconds = 7
const connectsPerSecond = 12
const stayMs = 2_000

test('liveness - a quiet charge point is pinged and kept while many others come and go', async (t) => {
  const flags = ['--ping-interval-seconds', '1', '--flap-connects-per-minute', '1000000']
  const service = await startService(t, { flags })
  const quiet = await bootChargePoint(service, 'QUIET')
  let pings = 0
  let closed = ''
  quiet.socket.on('ping', () => pings++)
  void quiet.closed.then(({ code, reason }) => {
    closed = `${code} ${reason}`
  })
  await until(() => pings > 0)
  const before = pings
  for (let at = 0; at < connectsPerSecond; at++) await service.register(`FLAPS-${at}`)
  const leaving: Promise<void>[] = []
  for (let at = 0; at < seconds * connectsPerSecond; at++) {
    const guest = await connectOcpp(`${service.ocppUrl}/FLAPS-${at % connectsPerSecond}`)
    leaving.push(delay(stayMs).then(() => guest.close()))
    await delay(1_000 / connectsPerSecond)
  }
  t.ok(pings - before >= 2, `${pings - before} pings while others came and went`)
  await Promise.all(leaving)
  const after = pings
  await until(() => pings > after || closed !== '')
  t.equal(closed, '', 'it is connected')
})
