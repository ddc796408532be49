// Field note 9 (EVerest/libocpp#495, OCPP.Core#55, mikuso#82).

import { test } from 'tap'
import { bootChargePoint, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

const service = await sharedService()

test('StopTransaction carries -1, 0 or no id - it ends the open session that fits, and marks it as reconciled', async (t) => {
  for (const [at, transactionId] of [-1, 0, undefined, null].entries()) {
    const id = `CP-9-${at}`
    const client = await bootChargePoint(service, id)
    const lost = (await client.call('StartTransaction', startRequest({ connectorId: 1, idTag: 'MINE' }))).payload
    const other = (await client.call('StartTransaction', startRequest({ connectorId: 2, idTag: 'OTHER' }))).payload
    const stop = { transactionId, idTag: 'mine', meterStop: 3000, timestamp: secondsAgo(60) }
    t.match(await client.call('StopTransaction', stop), { error: undefined })
    t.match(await sessionOf(service, id, lost.transactionId), {
      status: 'completed',
      energy_kwh: 2,
      flags: ['reconciled'],
    })
    t.match(await sessionOf(service, id, other.transactionId), { status: 'active' }, 'the other outlet goes on')
  }
})

test('StopTransaction carries -1 and two sessions fit - none is ended by guessing', async (t) => {
  const client = await bootChargePoint(service, 'CP-9-21')
  const ids: number[] = []
  for (const connectorId of [1, 2])
    ids.push((await client.call('StartTransaction', startRequest({ connectorId }))).payload.transactionId)
  t.match(await client.call('StopTransaction', { transactionId: -1, meterStop: 3000, timestamp: secondsAgo(60) }), {
    error: undefined,
  })
  for (const id of ids) t.match(await sessionOf(service, 'CP-9-21', id), { status: 'active' })
})

test('the tag is not accepted - the transaction id is still a positive one of its own', async (t) => {
  const client = await bootChargePoint(service, 'CP-9-31')
  await service.request('POST', '/api/v1/id-tags', { id_tag: 'BLOCKED', status: 'Blocked' })
  const { payload } = await client.call('StartTransaction', startRequest({ idTag: 'BLOCKED' }))
  t.match(payload, { idTagInfo: { status: 'Blocked' } })
  t.ok(payload.transactionId > 0)
  t.match(await sessionOf(service, 'CP-9-31', payload.transactionId), { flags: ['not_authorized'] })
})
