// Field note 20 (lbbrhzn#442 and PR#1984, steve#135, ev-server#2761, OCPP.Core#43).

import { test } from 'tap'
import { rawUpgrade } from '../support/raw-socket.js'
import type { Service } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const heartbeat = '[2,"1","BootNotification",{"chargePointVendor":"V","chargePointModel":"M"}]'

async function refusal(service: Service, chargePointId: string) {
  return until(async () => {
    const path = `/api/v1/cpo/connection-attempts?charge_point_id=${chargePointId}`
    return (await service.request('GET', path)).body.data[0]
  })
}

const service = await sharedService()

test('the upgrade has no subprotocol, or no Connection header - it is taken, and nothing is selected that was not offered', async (t) => {
  await service.register('CP-20-1')
  const oddities = [
    { 'Sec-WebSocket-Protocol': undefined },
    { Connection: undefined },
    { Connection: 'keep-alive', 'Sec-WebSocket-Protocol': undefined },
  ]
  for (const changes of oddities) {
    const peer = await rawUpgrade(service.port, '/ocpp16/CP-20-1', changes)
    t.teardown(() => peer.socket.destroy())
    t.equal(peer.status, 101, JSON.stringify(changes))
    const offered = !('Sec-WebSocket-Protocol' in changes)
    t.equal(/^sec-websocket-protocol: ocpp1\.6$/im.test(peer.head), offered)
    t.equal(/^sec-websocket-extensions:/im.test(peer.head), false)
    peer.text(heartbeat)
    t.match(await peer.answerTo('1'), [3, '1', { status: 'Accepted' }])
  }
})

test('only other subprotocols are offered - the refusal says so to the charge point and to the installer', async (t) => {
  await service.register('CP-20-21')
  const both = await rawUpgrade(service.port, '/ocpp16/CP-20-21', { 'Sec-WebSocket-Protocol': 'ocpp0.1,OCPP1.6' })
  t.teardown(() => both.socket.destroy())
  t.match(both.head, /sec-websocket-protocol: OCPP1\.6/i, 'ocpp1.6 is chosen from a list, in the spelling offered')

  const wrong = await rawUpgrade(service.port, '/ocpp16/CP-20-21', { 'Sec-WebSocket-Protocol': 'ocpp0.1, ocpp2.0.1' })
  t.equal(wrong.status, 400)
  await until(() => wrong.body().includes('wrong_subprotocol: Offer ocpp1.6'))
  t.match(await refusal(service, 'CP-20-21'), {
    reason: 'wrong_subprotocol',
    http_status: 400,
    remote_address: '127.0.0.1',
    advice: /ocpp0\.1, ocpp2\.0\.1/,
  })
})

test('an operator requires the subprotocol - a charge point without one is refused with a reason', async (t) => {
  const service = await sharedService(['--require-subprotocol', 'true'])
  await service.register('CP-20-31')
  const peer = await rawUpgrade(service.port, '/ocpp16/CP-20-31', { 'Sec-WebSocket-Protocol': undefined })
  t.equal(peer.status, 400)
  t.match(await refusal(service, 'CP-20-31'), { reason: 'no_subprotocol', advice: /Sec-WebSocket-Protocol: ocpp1\.6/ })
})
