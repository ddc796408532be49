// What a commissioning that waits costs: nothing has changed, so that nothing is written, but for what wakes it after an interruption.

import { test } from 'tap'
import type { Exchange } from '../../../src/records/commissioning.js'
import { commissioningOverStore } from './commissioning-over-store.js'

test('commissioning - one that waits writes its wake-up less and less often, and nothing else', async (t) => {
  const actor = await commissioningOverStore('test_transaction', (now) => {
    const at = new Date(now).toISOString()
    const start: Exchange = {
      sent: 'RemoteStartTransaction',
      sent_at: at,
      ended_at: at,
      outcome: 'answered',
      answer: 'Accepted',
    }
    return {
      test: { id_tag: 'TEST0123456789ABCDEF', connector_id: 1 },
      steps: [{ name: 'test_transaction', status: 'running', started_at: at, evidence: [start] }],
    }
  })
  await actor.pass(5)
  const before = { commits: actor.commits, row: actor.session() }
  await actor.pass(110)
  t.same(actor.session(), before.row, 'it waits')
  t.equal(actor.commits - before.commits, 2)
  await actor.pass(10)
  t.match(actor.session(), { status: 'failed' }, 'until its time is over')
})

test('commissioning - one that waits goes on after an interruption, within as long as it has waited', async (t) => {
  const actor = await commissioningOverStore('configuration', () => ({
    configuration: [{ key: 'HeartbeatInterval', value: '300' }],
  }))
  await actor.pass(100)
  const waiting = actor.session()
  t.match(waiting, { status: 'running', steps: { 2: { application_id: String } } })
  actor.restart()
  await actor.pass(60)
  t.match(actor.session().log.at(-1), { message: /The service was interrupted/ })
})
