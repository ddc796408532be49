// Field note 1 (voltbras/ts-ocpp#19).

import { test } from 'tap'
import { bootChargePoint, chargePointOf, command } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { sharedService } from '../support/shared-services.js'

test('the first socket closes after the second has opened - only the first is forgotten, the second and all others stay', async (t) => {
  const service = await sharedService()
  const bystander = await bootChargePoint(service, 'CP-1-2')
  const first = await bootChargePoint(service, 'CP-1-1')
  const second = await connectOcpp(`${service.ocppUrl}/CP-1-1`)
  t.equal((await first.closed).code, 1000, 'the old socket is closed in order')

  t.match(await second.call('Heartbeat', {}), { error: undefined }, 'the new socket is served without another boot')
  const sent = command(service, 'CP-1-1', 'unlock_connector', { connector_id: 1 })
  await second.answerNext({ status: 'Unlocked' })
  t.equal((await sent).status, 200, 'commands go to the new socket')
  t.match(await chargePointOf(service, 'CP-1-1'), { online: true })

  t.match(await bystander.call('Heartbeat', {}), { error: undefined })
  t.match(await chargePointOf(service, 'CP-1-2'), { online: true }, 'another charge point has noticed nothing')
})
