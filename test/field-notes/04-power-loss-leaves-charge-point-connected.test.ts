// Field note 4 (steve#357, OCPP.Core#83).

import { test } from 'tap'
import { chargePointOf, command, historyOf } from '../support/charge-point.js'
import { opcodes, rawUpgrade } from '../support/raw-socket.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

test('a charge point loses its power without closing - silence after pings makes it offline, and commands fail at once', async (t) => {
  const service = await sharedService(['--ping-interval-seconds', '1'])
  await service.register('CP-4-1')
  const peer = await rawUpgrade(service.port, '/ocpp16/CP-4-1')
  t.teardown(() => peer.socket.destroy())
  // It answers one ping, so that its silence from then on means something.
  await until(() => peer.frames.some(({ opcode }) => opcode === opcodes.ping))
  peer.pong()
  t.match(await chargePointOf(service, 'CP-4-1'), { online: true })

  await until(async () => !(await chargePointOf(service, 'CP-4-1')).online)
  await until(peer.closed)
  // Nobody waits for the timeout of the command: then it would be answered as one that has timed out.
  t.match(await command(service, 'CP-4-1', 'soft_reset'), {
    status: 422,
    body: { error: { code: 'charge_point_offline', charge_point_id: 'CP-4-1' } },
  })
  t.match(await historyOf(service, 'CP-4-1'), [{ status: 'Error', error: 'charge_point_offline' }])
})
