// Field note 12 (citrineos-core#1025, mobilityhouse#478, #617).

import { test } from 'tap'
import { bootChargePoint, energyAt, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

test('MeterValues carry no transaction id, 0, -1 or 9223372036854775807 - they count for the session on their connector', async (t) => {
  const service = await sharedService()
  const client = await bootChargePoint(service, 'CP-12-1')
  const first = (await client.call('StartTransaction', startRequest({ connectorId: 1 }))).payload.transactionId
  const second = (await client.call('StartTransaction', startRequest({ connectorId: 2 }))).payload.transactionId

  let register = 1000
  for (const id of [
    '',
    '"transactionId":0,',
    '"transactionId":-1,',
    '"transactionId":null,',
    '"transactionId":9223372036854775807,',
  ]) {
    register += 500
    const meterValue = JSON.stringify([energyAt(secondsAgo(3600 - register), register)])
    // Written by hand: a number above 2^53 cannot be made from a JavaScript value.
    client.raw(`[2,"m-${register}","MeterValues",{"connectorId":1,${id}"meterValue":${meterValue}}]`)
    t.match(await client.nextFrame(), [3, `m-${register}`, {}], `${id} is answered`)
    t.match(await sessionOf(service, 'CP-12-1', first), { energy_kwh: (register - 1000) / 1000 }, `${id} is counted`)
  }
  t.match(await sessionOf(service, 'CP-12-1', second), { energy_kwh: 0 }, 'the other outlet got none of it')
})
