// Field note 16 (evcc#10399, monta ocpp-emulator#5).

import { test } from 'tap'
import { bootChargePoint, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

test('a time has no zone, a short offset or single digits - it is understood, and never refuses a transaction', async (t) => {
  const service = await sharedService()
  const client = await bootChargePoint(service, 'CP-16-1')
  const utc = secondsAgo(6 * 3600)
  const meant = new Date(utc).toISOString()
  const inTwoHours = new Date(Date.parse(utc) + 2 * 3_600_000).toISOString()
  const spellings = [
    utc.slice(0, -1),
    `${utc.slice(0, -1)}.000`,
    `${inTwoHours.slice(0, 19)}+02`,
    `${inTwoHours.slice(0, 19)}+0200`,
    `${inTwoHours.slice(0, 19)}+02:00`,
    utc.replace('T', ' '),
  ]
  for (const timestamp of spellings) {
    const answer = await client.call('StartTransaction', startRequest({ timestamp }))
    t.equal(answer.error, undefined)
    const session = await sessionOf(service, 'CP-16-1', answer.payload.transactionId)
    t.match(session, { started_at: meant, flags: [] }, timestamp)
  }
  const { payload } = await client.call('StartTransaction', startRequest({ timestamp: '2026-1-2T3:04:05' }))
  t.match(await sessionOf(service, 'CP-16-1', payload.transactionId), { started_at: '2026-01-02T03:04:05.000Z' })
})
