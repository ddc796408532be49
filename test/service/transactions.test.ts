// Transactions over a real socket and a real disk, up to what a restart finds.

import { connectOcpp } from '../support/ocpp-client.js'
import { testOverKill } from '../support/over-a-kill.js'

const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 1000, timestamp: '2026-11-01T10:00:00Z' }

testOverKill(
  'transactions - a transaction that was answered is there after the service was killed',
  async (_, first, atLast) => {
    await first.register('KEPT-1')
    const client = await connectOcpp(`${first.ocppUrl}/KEPT-1`)
    await client.boot()
    let transactionId = 0
    atLast(async () => {
      transactionId = (await client.call('StartTransaction', start)).payload.transactionId
    })

    return async (t, second) => {
      t.ok(transactionId > 0 && transactionId < 2 ** 31, 'the id is a positive 31-bit integer')
      const active = await second.request('GET', '/api/v1/ocpp16/active_transactions/KEPT-1')
      t.equal(active.body.active_transactions[0]?.transaction_id, transactionId)

      const again = await connectOcpp(`${second.ocppUrl}/KEPT-1`)
      const repeated = await again.call('StartTransaction', start)
      t.equal(repeated.payload.transactionId, transactionId, 'a repeat finds the same transaction')
      await again.call('StopTransaction', { transactionId, meterStop: 3500, timestamp: '2026-11-01T11:00:00Z' })
      const sessions = await second.request('GET', '/api/v1/sessions?charge_point_id=KEPT-1')
      t.equal(sessions.body.total, 1)
      t.match(sessions.body.sessions[0], { status: 'completed', energy_kwh: 2.5, stop_reason: 'Local' })
    }
  },
)
