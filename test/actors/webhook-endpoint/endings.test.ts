// What ends or interrupts an endpoint: its receiver is gone or fails for days, its owner pauses, moves or removes it, its
// shard dies, the disk takes no writes.

import { test } from 'tap'
import { eventChange } from '../../../src/runtime/actor/outbox.js'
import { declared } from '../../support/declared-events.js'
import { createStage, endpointId, hour, minute, organizationId, type Stage, second } from './stage.js'

const day = 24 * hour

function alertsOf(stage: Stage): string[] {
  const alerts = stage.events().filter(({ event }) => event.startsWith('alert.'))
  return declared(alerts).map(({ event, subject, data }) => {
    if (subject !== endpointId || data.webhook_endpoint_id !== endpointId) throw new Error('about another')
    return `${event} ${data.kind}`
  })
}

test('webhook endpoint - five days of failures alone disable it, with an alert', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['charge_point.fault'] })
  stage.receiver(() => 500)
  await stage.emit('CP-1')
  await stage.pass(1)
  const failingSince = stage.progress()?.failing_since
  t.equal(failingSince, stage.clock.now())
  for (let hours = 0; hours < 5 * 24; hours++) {
    t.equal(stage.endpoint()?.active, true)
    t.equal(stage.progress()?.failing_since, failingSince)
    await stage.emit('CP-1')
    await stage.pass(hour)
  }
  await stage.emit('CP-1')
  await stage.pass(second)
  t.match(stage.endpoint(), { active: false, disabled_reason: 'failing' })
  t.same(alertsOf(stage), ['alert.triggered webhook_endpoint_failing', 'alert.triggered webhook_endpoint_disabled'])
  const made = stage.attempts.length
  await stage.emit('CP-1')
  await stage.pass(day)
  t.equal(stage.attempts.length, made, 'nothing is sent any more')
  t.end()
})

test('webhook endpoint - one success in five days keeps it', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['charge_point.fault'] })
  let fails = true
  stage.receiver(() => (fails ? 500 : 200))
  for (let hours = 0; hours < 9 * 24; hours++) {
    fails = hours !== 100
    await stage.emit('CP-1')
    await stage.pass(hour)
    if (hours === 100) t.equal(stage.progress()?.failing_since, undefined)
  }
  t.equal(stage.endpoint()?.active, true)
  t.end()
})

test('webhook endpoint - an hour of failures is told once, over restarts, and so is its end', async (t) => {
  const ends: readonly ((stage: Stage) => Promise<unknown>)[] = [
    async (stage) => {
      stage.receiver(() => 200)
      await stage.emit('CP-1')
    },
    (stage) => stage.ask({ type: 'update', changes: { url: 'https://example.com/elsewhere' } }),
    (stage) => stage.ask({ type: 'update', changes: { active: false } }),
    (stage) => stage.ask({ type: 'remove' }),
  ]
  for (const end of ends) {
    const stage = createStage()
    await stage.create({ events: ['charge_point.fault'] })
    stage.receiver(() => 'unreachable')
    await stage.emit('CP-1', 3)
    await stage.pass(hour - minute)
    t.same(alertsOf(stage), [])
    for (let hours = 0; hours < 3; hours++) {
      await stage.emit('CP-1')
      await stage.pass(hour)
      await stage.restart()
    }
    t.same(alertsOf(stage), ['alert.triggered webhook_endpoint_failing'])
    await end(stage)
    await stage.pass(second)
    t.same(alertsOf(stage), ['alert.triggered webhook_endpoint_failing', 'alert.resolved webhook_endpoint_failing'])
  }
  t.end()
})

test('webhook endpoint - 410 disables it at once; turned on again, it goes on where it was', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['charge_point.fault'] })
  stage.receiver(() => 410)
  await stage.emit('CP-1', 3)
  await stage.pass(second)
  t.match(stage.endpoint(), { active: false, disabled_reason: 'gone' })
  t.same(alertsOf(stage), ['alert.triggered webhook_endpoint_disabled'])
  await stage.pass(day)
  t.equal(stage.attempts.length, 1)
  t.same(stage.wakeUps(), [])
  await stage.pass(2 * minute)
  t.equal(stage.passivate(), 0, 'it leaves memory')
  stage.receiver(() => 200)
  await stage.ask({ type: 'update', changes: { active: true } })
  await stage.pass(second)
  const { active, disabled_reason, disabled_at } = stage.endpoint() ?? {}
  t.same({ active, disabled_reason, disabled_at }, { active: true, disabled_reason: undefined, disabled_at: undefined })
  t.equal(stage.progress()?.failing_since, undefined)
  t.same(
    stage.deliveries().map(({ status, attempts }) => [status, attempts]),
    [
      ['succeeded', 2],
      ['succeeded', 1],
      ['succeeded', 1],
    ],
  )
  t.end()
})

test('webhook endpoint - paused, nothing is sent and nothing is lost, retries included', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 500)
  await stage.emit('CP-1', 2)
  await stage.pass(second)
  await stage.ask({ type: 'update', changes: { active: false } })
  await stage.emit('CP-1', 2)
  await stage.pass(day)
  t.equal(stage.attempts.length, 2)
  await stage.restart()
  await stage.pass(day)
  t.equal(stage.attempts.length, 2)
  stage.receiver(() => 200)
  await stage.ask({ type: 'update', changes: { active: true } })
  await stage.pass(second)
  t.ok(stage.deliveries().every(({ status }) => status === 'succeeded'))
  t.equal(stage.deliveries().length, 4)
  t.end()
})

test('webhook endpoint - what is under way when it is paused is stored as it ends', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => ({ status: 200, afterMs: second }))
  await stage.emit('CP-1', 2)
  await stage.ask({ type: 'update', changes: { active: false } })
  await stage.pass(minute)
  t.match(stage.deliveries(), [{ status: 'succeeded', attempts: 1 }])
  t.end()
})

test('webhook endpoint - after a change of url and form, what waits goes there, in that form, at the time set for it', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 500)
  await stage.emit('CP-1')
  await stage.pass(6 * second)
  const url = 'https://example.com/elsewhere'
  await stage.ask({ type: 'update', changes: { url, payload_format: 'a' } })
  t.equal(stage.progress()?.failing_since, undefined, 'the other receiver has not failed')
  await stage.pass(30 * second)
  t.equal(stage.attempts.length, 3)
  const last = stage.attempts[2]
  t.equal(last?.request.url, url)
  t.match(JSON.parse(last?.request.body ?? ''), { event: 'charge_point.fault', timestamp: String, data: {} })
  t.equal(last?.request.timeoutMs, 10 * second)
  const [delivery] = stage.deliveries()
  t.match(delivery, { status: 'pending', attempts: 3 })
  t.equal(delivery?.next_retry_at, (last?.at ?? 0) + 1 + hour, 'the third pause of form A')
  t.end()
})

test('webhook endpoint - a failure of the former url does not count against the present one', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => ({ status: 410, afterMs: second }))
  await stage.emit('CP-1')
  await stage.ask({ type: 'update', changes: { url: 'https://example.com/elsewhere' } })
  await stage.pass(2 * second)
  t.equal(stage.endpoint()?.active, true)
  t.end()
})

test('webhook endpoint - removed while an attempt is under way, nothing of it comes back', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => (stage.attempts.length === 1 ? 500 : { status: 500, afterMs: second }))
  await stage.emit('CP-1', 2)
  await stage.pass(100)
  const before = stage.deliveries()
  t.match(await stage.ask({ type: 'remove' }), { type: 'endpoint' })
  await stage.emit('CP-1', 2)
  await stage.pass(day)
  t.equal(stage.attempts.length, 2)
  t.same(stage.deliveries(), before)
  t.same([stage.endpoint(), stage.progress(), stage.wakeUps()], [undefined, undefined, []])
  t.match(await stage.ask({ type: 'remove' }), { type: 'gone' })
  t.match(await stage.ask({ type: 'test' }), { type: 'gone' })
  t.end()
})

test('webhook endpoint - at the end of its shard, what was under way is sent again under its id, what was not is kept', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => ({ status: 200, afterMs: second }))
  await stage.emit('CP-1', 3)
  await stage.pass(1_500)
  await stage.restart()
  await stage.pass(5 * second)
  const ids = stage.attempts.map(({ eventId }) => eventId)
  const [first, second2, third] = stage.events().map(({ id }) => id)
  t.same(ids, [first, second2, second2, third])
  t.end()
})

test('webhook endpoint - a disk that takes no writes does not have the receiver be sent the same again and again', async (t) => {
  const stage = createStage()
  await stage.create()
  await stage.emit('CP-1')
  await stage.pass(second)
  stage.disk(() => false)
  await stage.emit('CP-1')
  await stage.pass(hour)
  t.equal(stage.attempts.length, 2, 'once, and then it waits')
  stage.disk(() => true)
  await stage.pass(minute)
  t.equal(stage.attempts.length, 3)
  t.equal(stage.deliveries().length, 2)
  t.end()
})

test('webhook endpoint - a disk that refuses a write while a backlog is read does not end the reading', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['charge_point.fault'] })
  const names = [...Array<string>(150).fill('session.started'), 'charge_point.fault']
  await stage.commit(
    names.map((event) => eventChange({ event, organizationId, subject: 'CP-1', data: {} }, stage.clock.now())),
  )
  stage.crash()
  // It reads a part, in which nothing is for it; what would bring it to the next part is its own.
  stage.disk(() => false)
  stage.start()
  await stage.pass(minute)
  t.equal(stage.attempts.length, 0)
  stage.disk(() => true)
  await stage.pass(minute)
  t.equal(stage.attempts.length, 1, 'although nothing else has happened to its organization')
  t.match(stage.deliveries(), [{ status: 'succeeded' }])
  t.end()
})

test('webhook endpoint - who waits for a test event hears when the disk has made its actor forget it', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['charge_point.fault'] })
  stage.receiver(() => 'never')
  await stage.ask({ type: 'test' })
  t.equal(stage.replies.length, 1, 'only that it was made')
  stage.disk(() => false)
  await stage.ask({ type: 'update', changes: { active: false } })
  t.match(stage.replies.slice(1), [
    { ok: false, code: 'storage_unavailable' },
    { ok: false, interrupted: true },
  ])
})
