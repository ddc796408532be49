// Field note 10 (OCPP.Core#34).

import { test } from 'tap'
import { bootChargePoint, secondsAgo, sessionOf, sessionsOf, startRequest } from '../support/charge-point.js'
import { sharedService } from '../support/shared-services.js'

test("StopTransaction carries another charge point's transaction id - it is answered, and that transaction goes on", async (t) => {
  const service = await sharedService()
  const victim = await bootChargePoint(service, 'CP-VICTIM')
  const stranger = await bootChargePoint(service, 'CP-STRANGER')
  const { transactionId } = (await victim.call('StartTransaction', startRequest())).payload

  const stop = { transactionId, meterStop: 999_999, timestamp: secondsAgo(60) }
  t.same(await stranger.call('StopTransaction', stop), { payload: {}, error: undefined })
  const values = {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: secondsAgo(30), sampledValue: [{ value: '999999' }] }],
  }
  t.match(await stranger.call('MeterValues', values), { error: undefined })

  t.match(await sessionOf(service, 'CP-VICTIM', transactionId), { status: 'active', energy_kwh: 0 })
  t.same(await sessionsOf(service, 'CP-STRANGER'), [])
})
