// Field note 23 (evcc#33099, mikuso#80, connectorio-addons#132, libocpp#1135).

import { test } from 'tap'
import { chargePointOf } from '../support/charge-point.js'
import { opcodes, type RawSocket, rawUpgrade } from '../support/raw-socket.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const pings = (peer: RawSocket): number => peer.frames.filter(({ opcode }) => opcode === opcodes.ping).length

test('a charge point is idle for longer than its heartbeat interval, or breaks when pinged - neither is dropped', async (t) => {
  const service = await sharedService(['--ping-interval-seconds', '1', '--heartbeat-interval-seconds', '1'])
  await service.register('CP-MUTE')
  await service.register('CP-FRAGILE')
  const policy = await service.request('PATCH', '/api/v1/chargepoints/CP-FRAGILE', { ping_interval_seconds: 0 })
  t.match(policy, { status: 200, body: { ping_interval_seconds: 0 } })
  // Neither ever says a word: the one ignores pings, the other must not get any.
  const mute = await rawUpgrade(service.port, '/ocpp16/CP-MUTE')
  const fragile = await rawUpgrade(service.port, '/ocpp16/CP-FRAGILE')
  t.teardown(() => {
    mute.socket.destroy()
    fragile.socket.destroy()
  })
  await until(() => pings(mute) >= 2)
  t.equal(pings(fragile), 0, 'a charge point with its own policy is not pinged')
  t.match(await chargePointOf(service, 'CP-MUTE'), { online: true })
  t.match(await chargePointOf(service, 'CP-FRAGILE'), { online: true })
  t.notOk(mute.closed())
})
