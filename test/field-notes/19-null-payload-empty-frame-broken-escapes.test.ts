// Field note 19 (steve#1109, #66, mobilityhouse#415).

import { test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

const service = await sharedService()

test('a payload is null, a frame is empty, an escape is broken - what is meant is done, and the socket stays open', async (t) => {
  const client = await bootChargePoint(service, 'CP-19-1')
  const exchange = (text: string): Promise<unknown[]> => {
    client.raw(text)
    return client.nextFrame()
  }
  t.match(await exchange('[2,"a","Heartbeat",null]'), [3, 'a', { currentTime: String }], 'null is an empty payload')
  t.match(await exchange('[2,"b","Heartbeat"]'), [3, 'b', { currentTime: String }], 'so is none')
  client.raw('')
  client.raw('   ')
  t.match(await exchange('[2,"c","Authorize",{"idTag":"TAG\\x1"}]'), [3, 'c', { idTagInfo: { status: 'Accepted' } }])
  t.match(
    await exchange(
      '[2,"d","StatusNotification",{"connectorId":1,"errorCode":"NoError","status":"Available","info":,}]',
    ),
    [3, 'd', {}],
  )
  t.match(await exchange('[2,"e","Authorize",{"idTag":"TAG'), [4, 'e', 'FormationViolation', String, {}])
  t.match(await exchange('[2,"f","Authorize",["TAG"]]'), [4, 'f', 'FormationViolation', String, {}])
  t.match(
    await exchange('[2,7,"Heartbeat",{}]'),
    [3, 7, { currentTime: String }],
    'a numeric id comes back as a number',
  )
  t.equal(client.socket.readyState, client.socket.OPEN)
})

test('a frame is sent as binary - it is read as text', async (t) => {
  const client = await bootChargePoint(service, 'CP-19-21')
  client.socket.send(Buffer.from('[2,"a","Heartbeat",{}]'))
  t.match(await client.nextFrame(), [3, 'a', { currentTime: String }])
})
