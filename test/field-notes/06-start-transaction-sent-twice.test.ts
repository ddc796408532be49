// Field note 6 (steve#81, mobilityhouse#186).

import { test } from 'tap'
import { bootChargePoint, sessionsOf, startRequest } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { sharedService } from '../support/shared-services.js'

test('StartTransaction is sent again over a bad link - one session, and the same transaction id each time', async (t) => {
  const service = await sharedService()
  const first = await bootChargePoint(service, 'CP-6-1')
  const start = startRequest()

  const pipelined = await Promise.all([first.call('StartTransaction', start), first.call('StartTransaction', start)])
  const { transactionId } = pipelined[0].payload
  t.ok(transactionId > 0)
  t.equal(pipelined[1].payload.transactionId, transactionId, 'sent twice without waiting')
  t.equal((await first.call('StartTransaction', start)).payload.transactionId, transactionId, 'sent after the answer')

  first.socket.terminate()
  const second = await connectOcpp(`${service.ocppUrl}/CP-6-1`)
  const shouted = { ...start, idTag: start.idTag.toLowerCase() }
  t.equal(
    (await second.call('StartTransaction', shouted)).payload.transactionId,
    transactionId,
    'sent after a reconnect, the tag in another case',
  )
  t.match(await sessionsOf(service, 'CP-6-1'), [{ transaction_id: transactionId, status: 'active' }])
  t.equal((await sessionsOf(service, 'CP-6-1')).length, 1)
})
