// A rollout over time: how many are sent the update at once, what it costs while it waits, and what is left of it when its shard dies.

import { test } from 'tap'
import { limits } from '../../../src/actors/firmware-rollout/limits.js'
import { abandonWakeUp } from '../../../src/actors/firmware-rollout/messages.js'
import { rolloutId, rolloutOverStore } from './rollout-over-store.js'

test('firmware rollout - so many are sent the update at a time, and each once', async (t) => {
  const count = limits.unansweredUpdates + 60
  const actor = await rolloutOverStore(count)
  t.match(await actor.ask('execute-stage'), { type: 'stage', stage: 1 })
  t.equal(actor.sent.length, limits.unansweredUpdates)
  await actor.pass(10)
  t.equal(actor.sent.length, limits.unansweredUpdates, 'the others wait')
  const first = actor.sent.map(({ chargePointId }) => chargePointId)
  for (let answered = 0; answered < 60; answered++) await actor.answer()
  await actor.pass(2)
  t.equal(actor.sent.length, limits.unansweredUpdates)
  const all = new Set([...first, ...actor.sent.map(({ chargePointId }) => chargePointId)])
  t.equal(all.size, count)
})

test('firmware rollout - while it waits, it is not in memory and writes nothing', async (t) => {
  const actor = await rolloutOverStore(3)
  await actor.ask('execute-stage')
  for (let place = 0; place < 3; place++) await actor.answer()
  await actor.pass(90, 5)
  t.notOk(actor.isLoaded)
  const { commits } = actor
  await actor.pass(3_600, 60)
  t.equal(actor.commits, commits)
  await actor.pass(limits.updateMs / 1_000 - 3_600, 600)
  await actor.pass(limits.overdueMs / 1_000 + 20)
  t.match(actor.rollout(), { status: 'failed', reason: 'failure_budget' })
  for (const row of actor.rows()) t.match(row, { standing: 'failed', error: 'timeout' })
  t.same(actor.wakeUps(), [], 'nothing is left of it')
})

test('firmware rollout - what was sent without an answer is sent again, three times in all', async (t) => {
  const actor = await rolloutOverStore(2, { max_failure_percent: 100 })
  await actor.ask('execute-stage')
  await actor.answer()
  for (const type of ['timeout', 'connection-lost', 'timeout'] as const) {
    t.match(actor.sent, [{ chargePointId: 'CP-1' }], 'the one that has answered is not sent it again')
    await actor.answer({ type })
    await actor.pass(20, 2)
  }
  t.same(actor.sent, [])
  t.match(actor.rows(), [{ standing: 'updating' }, { standing: 'failed', error: 'no_answer' }])
})

test('firmware rollout - after the death of its shard, what no record tells of is sent again, and is no attempt', async (t) => {
  const actor = await rolloutOverStore(2)
  await actor.ask('execute-stage')
  await actor.answer()
  for (const times of [1, 2, 3, 4]) {
    t.same(
      actor.sent.map(({ chargePointId }) => chargePointId),
      new Array(times).fill('CP-1'),
    )
    actor.restart()
    await actor.pass(limits.answerLostMs / 1_000 + 20, 2)
  }
  t.match(actor.rows(), [{ standing: 'updating' }, { standing: 'sending', unanswered: undefined }])
  while (actor.sent.length > 0) await actor.answer()
  t.match(actor.rows(), [{ standing: 'updating' }, { standing: 'updating' }])
})

test('firmware rollout - a clock that is set back keeps nobody from being sent the update', async (t) => {
  const actor = await rolloutOverStore(limits.unansweredUpdates + 5)
  await actor.ask('execute-stage')
  actor.clock.set(actor.clock.now() - 6 * 3_600_000)
  await actor.pass(limits.answerLostMs / 1_000 + 30, 2)
  const ids = new Set(actor.sent.map(({ chargePointId }) => chargePointId))
  t.equal(ids.size, limits.unansweredUpdates + 5)
})

test('firmware rollout - those that were not sent the update are let go when it is over, whatever is heard meanwhile', async (t) => {
  const actor = await rolloutOverStore(3, { strategy: 'canary', first_stage_size: 1, next_stage_size: 3 })
  await actor.ask('execute-stage')
  await actor.answer()
  await actor.hear(0, 'DownloadFailed')
  t.match(actor.rollout(), { status: 'failed' })
  await actor.hear(0, 'DownloadFailed')
  await actor.pass(5)
  t.match(actor.rows(), [{ standing: 'failed' }, { standing: 'unsent' }, { standing: 'unsent' }])
})

test('firmware rollout - while its answer may still come, an update is not sent again, whatever is heard', async (t) => {
  const actor = await rolloutOverStore(1)
  await actor.ask('execute-stage')
  await actor.hear(0)
  await actor.pass(limits.answerLostMs / 1_000 - 5, 5)
  t.equal(actor.sent.length, 1)
  await actor.pass(20, 5)
  t.equal(actor.sent.length, 2, 'it has not come')
})

test('firmware rollout - a stage is watched before the next begins, also over the death of its shard and while charge points are away', async (t) => {
  const actor = await rolloutOverStore(3, {
    strategy: 'rolling',
    first_stage_size: 2,
    next_stage_size: 2,
    soak_minutes: 30,
  })
  await actor.hear(1, undefined, { isOnline: false })
  await actor.ask('execute-stage')
  await actor.answer()
  t.match(await actor.ask('execute-stage'), { type: 'soaking', until: undefined })
  await actor.hear(0, undefined, { version: '2.0' })
  const until = actor.clock.now() + 30 * 60_000
  t.match(actor.rollout(), { soaks_until: until, started_stages: 1 })
  t.match(await actor.ask('execute-stage'), { type: 'soaking', until })
  actor.restart()
  await actor.pass(29 * 60, 10)
  t.same(actor.sent, [])
  await actor.pass(90, 10)
  t.match(actor.rollout(), { started_stages: 2 })
  t.match(actor.sent, [{ chargePointId: 'CP-2' }])
  await actor.hear(1, undefined, { isOnline: true })
  t.match(actor.sent, [{ chargePointId: 'CP-2' }, { chargePointId: 'CP-1' }], 'the one that was away has come back')
})

test('firmware rollout - nothing is sent before its time', async (t) => {
  const start_at = new Date(Date.UTC(2026, 10, 1, 2)).toISOString()
  const actor = await rolloutOverStore(1, { start_at })
  await actor.ask('execute-stage')
  await actor.pass(7_100, 100)
  t.same(actor.sent, [])
  await actor.pass(120, 20)
  t.equal(actor.sent.length, 1)
})

test('firmware rollout - one that was never complete is removed, and asked for nothing', async (t) => {
  const count = limits.removedPerTurn + 10
  const begunAt = Date.UTC(2026, 10, 1)
  const until = begunAt + 120_000
  const abandon = () => abandonWakeUp(rolloutId, 120_000, { steady: () => begunAt })
  const actor = await rolloutOverStore(count, { entered_until: until }, [abandon()])
  t.match(await actor.ask('execute-stage'), { type: 'unknown' })
  await actor.pass(110, 10)
  t.equal(actor.rows().length, count)
  await actor.pass(20, 10)
  t.equal(actor.rollout(), undefined)
  t.same(actor.rows(), [])
  t.same(actor.wakeUps(), [])

  const given = await rolloutOverStore(count, { entered_until: until }, [abandon()])
  await given.deliver({ type: 'abandon' })
  t.equal(given.rollout(), undefined)
  t.same(given.rows(), [], 'at once where its maker says so')
})
