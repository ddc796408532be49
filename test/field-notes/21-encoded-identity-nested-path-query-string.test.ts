// Field note 21 (citrineos-core#1093, mobilityhouse#752, open-ocpp#198).

import { test } from 'tap'
import { chargePointOf } from '../support/charge-point.js'
import { rawUpgrade } from '../support/raw-socket.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await sharedService(['--flap-connects-per-minute', '1000'])

test('the identity is percent-encoded, nested, doubled or followed by a query - it is the last segment, decoded once', async (t) => {
  await service.register('CP-1')
  const targets = [
    '/ocpp16/CP%2D1',
    '/ocpp16/CP-1/',
    '//ocpp16//CP-1',
    '/ocpp16/CP-1/CP-1',
    '/some/prefix/ocpp16/CP-1',
    '/ocpp16/CP-1?token=abc&x=/y',
    '/OCPP16/cp-1',
  ]
  for (const target of targets) {
    const peer = await rawUpgrade(service.port, target)
    t.teardown(() => peer.socket.destroy())
    t.equal(peer.status, 101, target)
    peer.text('[2,"1","BootNotification",{"chargePointVendor":"V","chargePointModel":"M"}]')
    t.match(await peer.answerTo('1'), [3, '1', { status: 'Accepted' }])
  }
  t.match(
    await chargePointOf(service, 'CP-1'),
    { charge_point_id: 'CP-1', online: true },
    'all of them are one charge point',
  )
})

test('the identity cannot be one - the refusal is listed with the identity as decoded', async (t) => {
  const refusals = [
    ['/ocpp16/RDAM%7C123', 404, 'RDAM|123', 'bad_identity'],
    ['/ocpp16/CP%252D1', 404, 'CP%2D1', 'bad_identity'],
    ['/ocpp16/CP%ZZ', 400, 'CP%ZZ', 'bad_escape'],
    ['/ocpp16/CP-404', 404, 'CP-404', 'unknown_charge_point'],
    ['/ocpp/CP-1', 404, 'CP-1', 'wrong_path'],
  ] as const
  for (const [target, status, shown, reason] of refusals) {
    const peer = await rawUpgrade(service.port, target)
    t.equal(peer.status, status, target)
    const path = `/api/v1/cpo/connection-attempts?charge_point_id=${encodeURIComponent(shown)}`
    const listed = await until(async () => (await service.request('GET', path)).body.data[0])
    t.match(listed, { charge_point_id: shown, reason, http_status: status })
  }
})
