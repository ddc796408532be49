// A guest session's life: what time, a lost message and the end of a shard make of it.

import { test } from 'tap'
import { isHopeless, pauseAfter } from '../../../src/actors/guest-session/payment.js'
import { done, id, minute, stageGuest, unknown, wish } from '../../support/guest-stage.js'

test('guest session - not started within 15 minutes it is stopped, costs nothing, and what was set aside is released', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  t.match(stage.replies, [{ type: 'guest', session: { status: 'authorizing', offered: true } }])
  await stage.pass(15 * minute - 1_000)
  t.match(stage.row(), { status: 'authorizing', payment: { status: 'authorized' } })
  await stage.pass(2_000)
  t.match(stage.row(), { status: 'stopped', end: 'not_started', final_cost: 0, currency: 'EUR' })
  await stage.provider(done)
  t.equal(stage.row().payment.status, 'released')
  t.same(stage.operations(), [`authorize ${id}`, `release ${id}`])
  t.same(stage.wakeUps(), [], 'there is nothing left to do')
  t.same(stage.events(), ['guest_session.authorized', 'guest_session.stopped', 'guest_session.released'])
})

test('guest session - whoever waits for an answer that the disk does not take is told so', async (t) => {
  const stage = stageGuest()
  await stage.tell(wish, true)
  t.same(stage.replies, [])
  stage.refuseWrites(true)
  await stage.provider(done)
  t.same(stage.replies, ['overloaded'], 'who asked for the session')
  stage.refuseWrites(false)

  const other = stageGuest()
  await other.offered()
  await other.session()
  await other.pass(minute + 1_000)
  await other.tell({ type: 'stop' }, true)
  await other.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  t.equal(other.replies.length, 1, 'only who has asked for the session was answered')
  other.refuseWrites(true)
  await other.tell({ type: 'session-changed' })
  t.same(other.replies.slice(1), ['overloaded'], 'who has asked for its end')
})

test('guest session - the 15 minutes go on while the service is down', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  stage.restart()
  await stage.pass(60 * minute, 60 * minute)
  t.match(stage.row(), { status: 'stopped', end: 'not_started', payment: { status: 'release_pending' } })
})

test('guest session - a charge that nobody told of is found, and so is its end', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session()
  await stage.pass(minute + 1_000)
  t.match(stage.row(), { status: 'charging', session_id: 'ses_1', transaction_id: 7 })
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  await stage.pass(minute + 1_000)
  await stage.provider(done)
  t.match(stage.row(), { status: 'stopped', final_cost: 4, energy_wh: 10_000, payment: { status: 'captured' } })
})

test('guest session - an authorization that ended with its shard is released, for nobody has the token', async (t) => {
  for (const answered of [false, true]) {
    const stage = stageGuest()
    await stage.tell(wish, true)
    if (answered) await stage.provider(done)
    stage.restart()
    await stage.pass(minute + 1_000)
    await stage.provider(done)
    t.match(stage.row(), { status: 'stopped', end: 'interrupted', payment: { status: 'released' } })
    t.same(stage.operations(), [`authorize ${id}`, `release ${id}`])
  }
})

test('guest session - a charge that begins as it is given up is ended', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.tell({ type: 'stop' }, true)
  await stage.provider(done)
  await stage.session()
  await stage.tell({ type: 'session-changed' })
  t.match(stage.commands.at(-1), { command: 'RemoteStopTransaction', parameters: { transactionId: 7 } })
})

test('guest session - a charge point that begins before it accepts is taken at its word', async (t) => {
  const stage = stageGuest()
  await stage.tell(wish, true)
  await stage.provider(done)
  await stage.session()
  await stage.tell({ type: 'session-changed' })
  await stage.chargePoint('Rejected')
  t.match(stage.row(), { status: 'charging', offered: true })
  t.match(stage.replies, [{ type: 'guest', session: { status: 'charging' } }])
})

test('guest session - a command whose router is gone is not waited for', async (t) => {
  const stage = stageGuest()
  await stage.tell(wish, true)
  await stage.provider(done)
  await stage.pass(15_000)
  t.match(stage.replies, [{ type: 'not-accepted', reply: undefined }])
  t.match(stage.row(), { status: 'stopped', end: 'not_accepted', payment: { status: 'release_pending' } })
})

test('guest session - a provider that is down is asked again after longer and longer, over restarts, under the same key', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  await stage.tell({ type: 'session-changed' })
  for (const failures of [1, 2, 3]) {
    await stage.provider(unknown)
    t.match(stage.row().payment, { status: 'capture_pending', failures, error: 'the connection was lost' })
    if (failures === 2) stage.restart()
    await stage.pass(pauseAfter(failures) - 1_000)
    t.equal(stage.operations().length, failures + 1)
    await stage.pass(2_000)
    t.equal(stage.operations().length, failures + 2)
  }
  await stage.provider(done)
  t.equal(stage.row().payment.status, 'captured')
  t.same(new Set(stage.operations().slice(1)), new Set([`capture ${id}`]))
})

test('guest session - a provider that stays away for a week is given up, with an alert', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  await stage.tell({ type: 'session-changed' })
  for (let hours = 0; hours < 24 * 8 && stage.row().payment.status === 'capture_pending'; hours++) {
    await stage.provider(unknown)
    await stage.pass(60 * minute, 60 * minute)
  }
  t.equal(stage.row().payment.status, 'failed')
  t.ok(stage.events().includes('alert.triggered'))
  t.same(stage.wakeUps(), [])
  t.notOk(isHopeless(0, 6 * 24 * 60 * minute))
})

test('guest session - an estimated end is left to be corrected for a while, and is the bill after that', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session({ status: 'estimated', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 5_000, cost: 2 })
  await stage.tell({ type: 'session-changed' })
  await stage.pass(10 * minute)
  t.equal(stage.row().status, 'charging')
  await stage.pass(10 * minute)
  t.match(stage.row(), { status: 'stopped', final_cost: 2 })
})

test('guest session - a charge that has used up what was set aside is ended', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session({ cost_so_far: 49 })
  await stage.tell({ type: 'session-changed' })
  t.equal(stage.commands.length, 1)
  await stage.session({ cost_so_far: 50 })
  await stage.pass(minute + 1_000)
  t.match(stage.commands.at(-1), { command: 'RemoteStopTransaction' })
})

test('guest session - more than was set aside is not taken, and somebody is told', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 60 })
  await stage.tell({ type: 'session-changed' })
  await stage.provider(done)
  t.match(stage.row(), { final_cost: 60, payment: { status: 'captured', capture_minor: 5_000 } })
  t.ok(stage.events().includes('alert.triggered'))
})

test('guest session - who stops a charge that goes on is told why, or after a while how it stands', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session()
  await stage.tell({ type: 'session-changed' })
  await stage.tell({ type: 'stop' }, true)
  await stage.chargePoint('Rejected')
  t.match(stage.replies.at(-1), { type: 'not-accepted', reply: { record: { status: 'Rejected' } } })
  await stage.tell({ type: 'stop' }, true)
  await stage.chargePoint('Accepted')
  t.equal(stage.replies.length, 2)
  await stage.pass(15_000)
  t.match(stage.replies.at(-1), { type: 'guest', session: { status: 'charging' } })
})

test('guest session - the provider is asked one thing at a time, and not before its time', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  const nudge = async (): Promise<number> => {
    await stage.tell({ type: 'session-changed' })
    await stage.tell({ type: 'stop' }, true)
    await stage.tell({ type: 'wake-up', reason: 'look' })
    return stage.operations().length
  }
  t.equal(await nudge(), 2, 'while it works')
  await stage.provider(unknown)
  t.equal(await nudge(), 2, 'while it is given time')
  t.match(stage.replies.at(-1), { type: 'guest', session: { payment: { status: 'capture_pending' } } })
  await stage.pass(pauseAfter(1))
  t.equal(await nudge(), 3)
  await stage.pass(61_000)
  t.equal(await nudge(), 4, 'an answer that does not come is asked for again')
})
