// What is sent again because somebody asks for it: one delivery, a period, over a restart, and beside what is live. And tests.

import { test } from 'tap'
import { eventIdOf } from '../../../src/records/webhook-delivery.js'
import { type OutboxRow, outboxTable, timeOfEvent } from '../../../src/runtime/actor/outbox.js'
import { faultOfEvent } from '../../support/declared-events.js'
import { createStage, hour, minute, type Stage, second } from './stage.js'

const day = 24 * hour

/** So many failed deliveries of each subject, an hour apart. */
async function fail(stage: Stage, subjects: readonly string[], count: number): Promise<void> {
  stage.receiver(() => 500)
  for (let number = 0; number < count; number++) {
    for (const subject of subjects) await stage.emit(subject)
    await stage.pass(hour)
  }
  await stage.pass(day)
  stage.attempts.length = 0
  stage.receiver(() => 200)
}

function deliveryId(stage: Stage): string {
  return stage.deliveries()[0]?.delivery_id ?? ''
}

test('webhook replay - a failed delivery begins its schedule anew, under the same id', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['charge_point.fault'] })
  await fail(stage, ['CP-1'], 1)
  t.match(stage.deliveries(), [{ status: 'failed', attempts: 6 }])
  stage.receiver(() => (stage.attempts.length < 3 ? 500 : 200))
  t.match(await stage.ask({ type: 'replay-delivery', deliveryId: deliveryId(stage) }), {
    type: 'delivery',
    delivery: { status: 'pending', attempts: 6 },
  })
  await stage.pass(hour)
  t.equal(stage.attempts.length, 3)
  t.match(stage.deliveries(), [{ status: 'succeeded', attempts: 9, response_code: 200 }])
  t.same([...new Set(stage.attempts.map(({ eventId }) => eventId))], [eventIdOf(deliveryId(stage))])
  stage.receiver(() => 500)
  await stage.ask({ type: 'replay-delivery', deliveryId: deliveryId(stage) })
  await stage.pass(day)
  t.match(stage.deliveries(), [{ status: 'failed', attempts: 15, delivered_at: undefined }], 'a delivered one too')
  t.end()
})

test('webhook replay - one that waits for a retry is hurried, and keeps its place in the schedule', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 500)
  await stage.emit('CP-1')
  await stage.pass(40 * second)
  t.equal(stage.attempts.length, 3)
  await stage.ask({ type: 'replay-delivery', deliveryId: deliveryId(stage) })
  await stage.pass(1)
  t.equal(stage.attempts.length, 4)
  await stage.pass(day)
  t.match(stage.deliveries(), [{ status: 'failed', attempts: 6 }])
  t.end()
})

test('webhook replay - what cannot be replayed is told: unknown, expired, paused', async (t) => {
  const stage = createStage()
  await stage.create()
  await stage.emit('CP-1')
  await stage.pass(second)
  const id = deliveryId(stage)
  t.match(await stage.ask({ type: 'replay-delivery', deliveryId: 'dlv_none' }), { type: 'gone' })
  await stage.ask({ type: 'update', changes: { active: false } })
  t.match(await stage.ask({ type: 'replay-delivery', deliveryId: id }), { type: 'inactive' })
  t.match(await stage.ask({ type: 'replay-period', from: 0, to: stage.clock.now(), onlyFailed: true }), {
    type: 'inactive',
  })
  await stage.ask({ type: 'update', changes: { active: true } })
  await stage.commit([{ type: 'remove', table: outboxTable.name, key: [eventIdOf(id)] }])
  t.match(await stage.ask({ type: 'replay-delivery', deliveryId: id }), { type: 'expired' })
  t.end()
})

test('webhook replay - a retry whose event is no longer kept has failed, and says so', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 500)
  await stage.emit('CP-1')
  await stage.pass(second)
  await stage.commit([{ type: 'remove', table: outboxTable.name, key: [eventIdOf(deliveryId(stage))] }])
  await stage.pass(minute)
  t.match(stage.deliveries(), [{ status: 'failed', attempts: 1, error: /no longer kept/, next_retry_at: undefined }])
  t.end()
})

test('webhook replay - the failed deliveries of a period are sent again in their order, and no others', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['charge_point.fault'] })
  await fail(stage, ['CP-1', 'CP-2'], 4)
  const begin = stage.clock.now()
  await stage.emit('CP-1', 3)
  await stage.pass(second)
  stage.attempts.length = 0
  const [, second2, third] = stage.events().filter(({ subject }) => subject === 'CP-1')
  const from = second2?.at ?? 0
  const to = third?.at ?? 0
  t.match(await stage.ask({ type: 'replay-period', from, to, onlyFailed: true }), {
    type: 'replay',
    replay: { only_failed: true, from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  })
  await stage.pass(second)
  const isIn = (row: OutboxRow): boolean => timeOfEvent(row) >= from && timeOfEvent(row) <= to
  const inPeriod = stage.events().filter((row) => row.event === 'charge_point.fault' && isIn(row))
  t.equal(inPeriod.length, 4)
  t.same(stage.attempts.map(({ eventId }) => eventId).sort(), inPeriod.map(({ id }) => id).sort())
  t.ok(stage.attempts.every(({ at }) => at >= begin))
  t.equal(stage.progress()?.replay, undefined, 'it is over')
  t.end()
})

test('webhook replay - a period of everything sends what the endpoint is subscribed to, or the types that are named', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['session.started'] })
  await stage.emit('CP-1', 40, 'session.started')
  await stage.emit('CP-1', 40, 'session.ended')
  await stage.pass(second)
  t.equal(stage.attempts.length, 40)
  const to = stage.clock.now()
  await stage.ask({ type: 'replay-period', from: 0, to, onlyFailed: false })
  await stage.pass(second)
  t.equal(stage.attempts.length, 80)
  t.equal(stage.deliveries().length, 40)
  t.ok(stage.deliveries().every(({ status, attempts }) => status === 'succeeded' && attempts === 2))
  await stage.ask({ type: 'replay-period', from: 0, to, onlyFailed: false, types: ['session.ended'] })
  await stage.pass(second)
  t.equal(stage.deliveries().length, 80)
  t.end()
})

test('webhook replay - a period goes on after the end of its shard; one at a time', async (t) => {
  const stage = createStage()
  await stage.create()
  await stage.emit('CP-1', 100)
  await stage.pass(second)
  stage.attempts.length = 0
  stage.receiver(() => ({ status: 200, afterMs: 10 }))
  const period = { type: 'replay-period', from: 0, to: stage.clock.now(), onlyFailed: false } as const
  await stage.ask(period)
  t.match(await stage.ask(period), { type: 'running', replay: { sent: 0 } })
  await stage.pass(500)
  t.match(stage.progress()?.replay, { sent: 48 })
  await stage.restart()
  await stage.pass(5 * second)
  t.equal(new Set(stage.attempts.map(({ eventId }) => eventId)).size, 100)
  t.ok(stage.attempts.length <= 100 + 17, `${stage.attempts.length} attempts`)
  t.equal(stage.progress()?.replay, undefined)
  t.end()
})

test('webhook replay - live events do not wait for a period that is replayed', async (t) => {
  const stage = createStage()
  await stage.create()
  for (let subject = 0; subject < 100; subject++) await stage.emit(`CP-${subject}`, 10)
  await stage.pass(minute)
  stage.receiver(() => ({ status: 200, afterMs: 100 }))
  await stage.ask({ type: 'replay-period', from: 0, to: stage.clock.now(), onlyFailed: false })
  await stage.pass(second)
  stage.attempts.length = 0
  for (let event = 0; event < 20; event++) {
    await stage.emit('CP-LIVE')
    await stage.pass(100)
    t.equal(stage.attempts.filter(({ subject }) => subject === 'CP-LIVE').length, event + 1)
  }
  t.ok(stage.progress()?.replay, 'it is still running')
  t.end()
})

test('webhook replay - a delivery that fails again is retried by its schedule, and the period goes on', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['charge_point.fault'] })
  await fail(stage, ['CP-1'], 3)
  stage.receiver(() => (stage.attempts.length === 1 ? 500 : 200))
  await stage.ask({ type: 'replay-period', from: 0, to: stage.clock.now(), onlyFailed: true })
  await stage.pass(hour)
  t.equal(stage.attempts.length, 4)
  t.ok(stage.deliveries().every(({ status }) => status === 'succeeded'))
  t.end()
})

test('webhook test - is sent once to this endpoint alone, paused or not, and answered with what came of it', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['session.started'], active: false })
  stage.receiver(() => ({ status: 418, afterMs: 50 }))
  const asked = stage.ask({ type: 'test' })
  await stage.pass(100)
  await asked
  t.match(stage.replies.at(-1), {
    body: { type: 'delivery', delivery: { event: 'webhook.test', status: 'failed', attempts: 1, response_code: 418 } },
  })
  await stage.pass(day)
  t.equal(stage.attempts.length, 1, 'it is not retried')
  t.same(stage.events(), [], 'nobody else hears of it')
  const { id, event, object } = JSON.parse(stage.attempts[0]?.request.body ?? '')
  t.equal(id, stage.attempts[0]?.eventId)
  t.equal(faultOfEvent(event, object), undefined)
  t.equal(stage.progress()?.failing_since, undefined, 'it says nothing of the endpoint')
  t.match(await stage.ask({ type: 'replay-delivery', deliveryId: deliveryId(stage) }), { type: 'was-test' })
  t.end()
})

test('webhook test - few at a time, and told when this process has no room', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 'never')
  for (let tests = 0; tests < 4; tests++) void stage.ask({ type: 'test' })
  await stage.settle()
  t.equal(stage.attempts.length, 4)
  t.match(await stage.ask({ type: 'test' }), { type: 'busy' })
  await stage.pass(minute)
  stage.receiver(() => 'no room')
  t.match(await stage.ask({ type: 'test' }), { type: 'busy' })
  t.end()
})
