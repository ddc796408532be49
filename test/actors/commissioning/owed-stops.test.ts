// A test transaction that is to be stopped at a charge point that is away: it is not looked for all the time, and not for ever, and stopped once
// the charge point is back.

import { test } from 'tap'
import { type CommissioningSession, commissioningSessionsTable } from '../../../src/records/commissioning.js'
import { type Session, sessionsTable } from '../../../src/records/session.js'
import { wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { installerId } from '../../support/registration.js'
import { commissioningOverStore } from './commissioning-over-store.js'

const hour = 3_600
const idTag = 'TEST0123456789ABCDEF'
const stop = 'RemoteStopTransaction'
const look = { type: 'look' }

const charge = {
  session_id: 'ses_1',
  organization_id: installerId,
  charge_point_id: 'CP-1',
  connector_id: 1,
  id_tag: idTag,
  transaction_id: 7,
  status: 'active',
  authorization: 'Accepted',
  started_at: '2026-11-01T00:00:00.000Z',
  received_at: '2026-11-01T00:00:00.000Z',
  meter_start: 0,
  flags: [],
  start_key: 'k',
} as unknown as Session

/** It has failed, and its charge point is away with the test transaction. */
async function owing(fields: Partial<CommissioningSession> = {}) {
  const actor = await commissioningOverStore('test_transaction', (now) => ({
    status: 'failed',
    result: 'failed',
    owed_stop: { id_tag: idTag, until: now + 900_000, tries: 0 },
    ...fields,
  }))
  await actor.online(false)
  await actor.pass(2)
  return actor
}

test('commissioning - a charge point that is away with a test transaction is not looked for all the time', async (t) => {
  const actor = await owing()
  await actor.put(sessionsTable, charge)
  const before = actor.commits
  await actor.pass(4 * hour, 5)
  t.ok(actor.commits - before <= 12, `${actor.commits - before} writes in four hours`)
  t.equal(actor.isLoaded, false)
  t.same(actor.sent, [])
  await actor.online(true)
  await actor.deliver(look)
  await actor.pass(6)
  t.same(actor.sent, [stop], 'it is stopped once it is back')
  await actor.put(sessionsTable, { ...charge, status: 'completed' })
  await actor.pass(6)
  t.equal(actor.session().owed_stop, undefined)
  t.same(actor.view().list(wakeUpsTable, []), [])
})

test('commissioning - a charge that has begun while the charge point was away is stopped when it tells of it', async (t) => {
  const actor = await owing()
  await actor.pass(5 * hour, 5)
  await actor.online(true)
  await actor.deliver(look)
  await actor.pass(30)
  t.same(actor.sent, [])
  await actor.put(sessionsTable, charge)
  await actor.pass(6)
  t.same(actor.sent, [stop])
})

test('commissioning - a charge that was closed because its charge point was silent runs on there, and is stopped', async (t) => {
  const actor = await owing()
  await actor.put(sessionsTable, { ...charge, status: 'estimated', flags: ['charge_point_silent'] } as Session)
  await actor.pass(30 * hour, 30)
  await actor.online(true)
  await actor.deliver(look)
  await actor.pass(6)
  t.same(actor.sent, [stop])
})

test('commissioning - a charge point that does not come back within a week is not waited for any more', async (t) => {
  const actor = await owing()
  await actor.put(sessionsTable, charge)
  await actor.pass(8 * 24 * hour, 300)
  t.equal(actor.session().owed_stop, undefined)
  t.match(actor.session().log.at(-1), { level: 'error', message: /has not come back/ })
  t.same(actor.view().list(wakeUpsTable, []), [])
  t.ok(actor.commits < 200, `${actor.commits} writes`)
})

test('commissioning - a charge point that comes and goes is not waited for again and again', async (t) => {
  const actor = await owing()
  for (let times = 0; times < 30 && actor.session().owed_stop !== undefined; times++) {
    await actor.online(true)
    await actor.deliver(look)
    await actor.pass(60)
    await actor.online(false)
    await actor.pass(60)
  }
  await actor.online(true)
  await actor.deliver(look)
  await actor.pass(6)
  t.equal(actor.session().owed_stop, undefined)
  t.match(actor.view().get(commissioningSessionsTable, ['com_1']), { status: 'failed' })
})

test('commissioning - a start that is still to reach its charge point is stopped also when the wall clock leaps meanwhile', async (t) => {
  const actor = await commissioningOverStore('test_transaction', () => ({ test: { id_tag: idTag, connector_id: 1 } }))
  await actor.pass(2)
  await actor.deliver({ type: 'pause', installerId: 'ins_1' })
  t.match(actor.session(), { status: 'paused', owed_stop: { id_tag: idTag } })
  actor.clock.set(actor.clock.now() + 2 * hour * 1_000)
  await actor.pass(20)
  await actor.put(sessionsTable, charge)
  await actor.pass(10)
  t.match(actor.sent.at(-1), stop)
})
