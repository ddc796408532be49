// Field note 2 (lorenzodonini/ocpp-go#314, #358).

import { test } from 'tap'
import { chargePointOf, command } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { rawUpgrade } from '../support/raw-socket.js'
import { sharedService } from '../support/shared-services.js'

test('a charge point comes back while its dead socket still looks open - it is taken at once, every time', async (t) => {
  const service = await sharedService()
  await service.register('CP-2-1')
  // A peer that has lost its power: it neither reads nor closes.
  const dead = await rawUpgrade(service.port, '/ocpp16/CP-2-1')
  t.equal(dead.status, 101)
  dead.socket.pause()
  t.teardown(() => dead.socket.destroy())

  for (const attempt of [1, 2, 3]) {
    const client = await connectOcpp(`${service.ocppUrl}/CP-2-1`)
    t.match(await client.boot(), { payload: { status: 'Accepted' } }, `attempt ${attempt} is accepted`)
    const sent = command(service, 'CP-2-1', 'soft_reset')
    await client.answerNext({ status: 'Accepted' })
    t.equal((await sent).status, 200, 'and is the one that commands reach')
    // The next attempt comes with this socket still open.
  }
  t.match(await chargePointOf(service, 'CP-2-1'), { online: true })
})
