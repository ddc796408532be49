// Transactions over a real socket and a real disk, up to what a restart finds.

import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'

const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 1000, timestamp: '2026-11-01T10:00:00Z' }

test('transactions - a transaction that was answered is there after the service was killed', async (t) => {
  const first = await startService(t)
  await first.register('CP-1')
  const client = await connectOcpp(`${first.ocppUrl}/CP-1`)
  await client.boot()
  const started = await client.call('StartTransaction', start)
  t.ok(
    started.payload.transactionId > 0 && started.payload.transactionId < 2 ** 31,
    'the id is a positive 31-bit integer',
  )
  await first.stop('SIGKILL')

  const second = await startService(t, { data: first.data, key: first.key })
  const active = await second.request('GET', '/api/v1/ocpp16/active_transactions/CP-1')
  t.equal(active.body.active_transactions[0]?.transaction_id, started.payload.transactionId)

  const again = await connectOcpp(`${second.ocppUrl}/CP-1`)
  const repeated = await again.call('StartTransaction', start)
  t.equal(repeated.payload.transactionId, started.payload.transactionId, 'a repeat finds the same transaction')
  await again.call('StopTransaction', {
    transactionId: started.payload.transactionId,
    meterStop: 3500,
    timestamp: '2026-11-01T11:00:00Z',
  })
  const sessions = await second.request('GET', '/api/v1/sessions?charge_point_id=CP-1')
  t.equal(sessions.body.total, 1)
  t.match(sessions.body.sessions[0], { status: 'completed', energy_kwh: 2.5, stop_reason: 'Local' })
})
