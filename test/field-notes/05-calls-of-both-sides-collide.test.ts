// Field note 5 (citrineos#189).

import { test } from 'tap'
import { bootChargePoint, command } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

const service = await sharedService()

test('the service and the charge point call at the same moment - both calls are answered, neither waits for the other', async (t) => {
  const client = await bootChargePoint(service, 'CP-5-1')

  for (const round of [1, 2, 3, 4, 5]) {
    const sent = command(service, 'CP-5-1', 'unlock_connector', { connector_id: 1 })
    const ours = client.call('Heartbeat', {}, `same-moment-${round}`)
    const theirs = await client.nextFrame()
    // The service's call is outstanding now, and is answered only after one more call of ours was.
    t.match(await ours, { error: undefined })
    t.match(await client.call('Authorize', { idTag: 'TAG-1' }), { payload: { idTagInfo: { status: 'Accepted' } } })
    client.raw(JSON.stringify([3, theirs[1], { status: 'Unlocked' }]))
    t.equal((await sent).status, 200)
  }
})

test('both sides use the same message id at once - each call gets its own answer', async (t) => {
  const client = await bootChargePoint(service, 'CP-5-21')
  const sent = command(service, 'CP-5-21', 'unlock_connector', { connector_id: 1 })
  const messageId = String((await client.nextFrame())[1])
  t.match(await client.call('Heartbeat', {}, messageId), { payload: { currentTime: String } })
  client.raw(JSON.stringify([3, messageId, { status: 'Unlocked' }]))
  t.match(await sent, { status: 200, body: { charge_point_response: { status: 'Unlocked' } } })
})
