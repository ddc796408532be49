// What is sent when: order within a subject, many subjects at once, a receiver that is slow to fail, events that nobody wants,
// and how little is written for all of that.

import { test } from 'tap'
import { limits } from '../../../src/actors/webhook-endpoint/limits.js'
import { webhookDeliveriesTable } from '../../../src/records/webhook-delivery.js'
import { webhookProgressTable } from '../../../src/records/webhook-endpoint.js'
import { type Attempt, createStage, hour, second } from './stage.js'

function numberOf({ request }: Attempt): number {
  return JSON.parse(request.body ?? '').object.number
}

test('webhook endpoint - the events of a subject arrive one after the other, those of others beside them', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => ({ status: 200, afterMs: 100 }))
  await stage.emit('CP-1', 3)
  await stage.emit('CP-2', 3)
  t.same(
    stage.attempts.map(({ subject }) => subject),
    ['CP-1', 'CP-2'],
  )
  await stage.pass(second)
  for (const subject of ['CP-1', 'CP-2'])
    t.same(stage.attempts.filter((attempt) => attempt.subject === subject).map(numberOf), [0, 1, 2])
  t.equal(stage.clock.now() - (stage.attempts.at(-1)?.at ?? 0), second - 200, 'side by side')
  t.end()
})

test('webhook endpoint - a retry does not hold up the later events of its subject', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => (stage.attempts.length === 1 ? 500 : 200))
  await stage.emit('CP-1', 3)
  await stage.pass(4 * second)
  t.same(stage.attempts.map(numberOf), [0, 1, 2])
  await stage.pass(2 * second)
  t.same(stage.attempts.map(numberOf), [0, 1, 2, 0])
  t.end()
})

test('webhook endpoint - it sends as much at once as the receiver bears, and no more', async (t) => {
  const stage = createStage()
  await stage.create()
  let atOnce = 0
  stage.receiver(({ at }) => {
    atOnce = Math.max(atOnce, stage.attempts.filter((attempt) => attempt.at > at - 100).length)
    return { status: 200, afterMs: 100 }
  })
  for (let subject = 0; subject < 100; subject++) await stage.emit(`CP-${subject}`)
  t.equal(stage.attempts.length, limits.webhookFirstAttempts, 'few, while nothing is known of it')
  await stage.pass(2 * second)
  t.equal(stage.attempts.length, 100)
  t.equal(atOnce, limits.webhookAttempts)
  t.end()
})

test('webhook endpoint - a receiver that hangs is left with one connection, and gets more when it answers', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 'never')
  for (let subject = 0; subject < 50; subject++) await stage.emit(`CP-${subject}`)
  await stage.pass(30 * second)
  const begun = stage.attempts.length
  for (let minutes = 0; minutes < 5; minutes++) {
    await stage.pass(60 * second)
    t.ok(stage.attempts.length - begun <= 2 * (minutes + 1), 'one at a time, of 30 s each')
  }
  stage.receiver(() => ({ status: 200, afterMs: 100 }))
  await stage.pass(hour)
  t.ok(stage.deliveries().every(({ status }) => status === 'succeeded'))
  t.equal(stage.deliveries().length, 50)
  t.end()
})

test('webhook endpoint - a receiver that refuses connections does not hold up retries', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 'unreachable')
  const half = limits.webhookFailuresInARow / 2
  for (let subject = 0; subject < half; subject++) await stage.emit(`CP-${subject}`)
  await stage.pass(4 * second)
  t.equal(stage.attempts.length, half)
  await stage.pass(2 * second)
  t.equal(stage.attempts.length, 2 * half, 'all of them after 5 s')
  t.end()
})

test('webhook endpoint - a receiver that does nothing but fail is asked once a second, and gets all when it is back', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 'unreachable')
  for (let subject = 0; subject < 200; subject++) await stage.emit(`CP-${subject}`)
  await stage.pass(4 * second)
  const begun = stage.attempts.length
  t.ok(begun < 2 * limits.webhookFailuresInARow, `${begun} attempts`)
  await stage.pass(10 * second)
  t.ok(stage.attempts.length - begun <= 11, 'one a second, and none of them at the same time')
  stage.receiver(() => ({ status: 200 }))
  await stage.pass(2 * second)
  t.ok(stage.attempts.length > 150, 'at once, but for those whose retry comes later')
  await stage.pass(hour)
  t.equal(stage.deliveries().length, 200)
  t.ok(stage.deliveries().every(({ status }) => status === 'succeeded'))
  t.end()
})

test('webhook endpoint - it is sent what it is subscribed to, of its organization, since it was made', async (t) => {
  const stage = createStage()
  await stage.emit('CP-1')
  await stage.create({ events: ['session.started', 'session.ended'] })
  await stage.emit('CP-1', 2, 'charge_point.fault')
  await stage.emit('CP-1', 1, 'session.started')
  await stage.emit('CP-9', 1, 'session.started', 'org_2')
  await stage.emit('CP-1', 1, 'session.ended')
  await stage.pass(second)
  t.same(
    stage.attempts.map(({ request }) => JSON.parse(request.body ?? '').event),
    ['session.started', 'session.ended'],
  )
  t.equal(stage.progress()?.cursor, stage.events().at(-1)?.id)
  t.end()
})

test('webhook endpoint - it is subscribed to events by name, by area, or to all', async (t) => {
  const told = ['session.started', 'session.ended', 'charge_point.fault']
  const wanted: readonly [string, readonly string[]][] = [
    ['session.ended', ['session.ended']],
    ['session.*', ['session.started', 'session.ended']],
    ['*', told],
  ]
  for (const [selector, names] of wanted) {
    const stage = createStage()
    await stage.create({ events: [selector] })
    for (const name of told) await stage.emit('CP-1', 1, name)
    await stage.pass(second)
    t.same(
      stage.attempts.map(({ request }) => JSON.parse(request.body ?? '').event),
      names,
      selector,
    )
  }
  t.end()
})

test('webhook endpoint - a change of its events holds for those that come after it, also over a restart', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['session.started'] })
  await stage.emit('CP-1', 5, 'charge_point.fault')
  await stage.ask({ type: 'update', changes: { events: ['charge_point.fault'] } })
  await stage.restart()
  await stage.emit('CP-1', 2, 'charge_point.fault')
  await stage.pass(second)
  t.equal(stage.attempts.length, 2)
  t.end()
})

test('webhook endpoint - events that it is not subscribed to cost a write once in many', async (t) => {
  const stage = createStage()
  await stage.create({ events: ['session.started'] })
  stage.forgetCommits()
  for (let event = 0; event < 1_000; event++) await stage.emit('CP-1')
  t.equal(stage.commits().length, 1_000 / limits.webhookUnstoredEvents)
  t.end()
})

test('webhook endpoint - a delivery costs a row, and its place in the feed a row now and then', async (t) => {
  const stage = createStage()
  await stage.create()
  await stage.emit('CP-0')
  await stage.pass(second)
  stage.forgetCommits()
  await stage.emit('CP-1', 400)
  for (let subject = 0; subject < 600; subject++) await stage.emit(`CP-${subject}`)
  await stage.pass(hour)
  const written = stage.commits().flatMap(({ changes }) => changes.map(({ table }) => table))
  t.equal(written.filter((table) => table === webhookDeliveriesTable.name).length, 1_000)
  const others = written.filter((table) => table !== webhookDeliveriesTable.name)
  t.ok(others.length < 20, `${others.length} other rows`)
  t.ok(others.every((table) => table === webhookProgressTable.name))
  t.end()
})

test('webhook endpoint - a long backlog is read in parts', async (t) => {
  const stage = createStage()
  await stage.create({ active: false })
  for (let subject = 0; subject < 50; subject++) await stage.emit(`CP-${subject}`, 40)
  t.equal(stage.attempts.length, 0)
  await stage.ask({ type: 'update', changes: { active: true } })
  await stage.pass(10 * second)
  t.equal(stage.attempts.length, 2_000)
  for (let subject = 0; subject < 50; subject++) {
    const own = stage.attempts.filter((attempt) => attempt.subject === `CP-${subject}`).map(numberOf)
    t.same(
      own,
      Array.from({ length: 40 }, (_, number) => number),
    )
  }
  await stage.pass(120 * second)
  t.equal(stage.passivate(), 0, 'and leaves memory')
  t.end()
})

test('webhook endpoint - a refusal of the own process is no attempt: it is tried again soon', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => (stage.attempts.length <= 3 ? 'no room' : 200))
  await stage.emit('CP-1')
  await stage.emit('CP-2')
  t.same(stage.deliveries(), [])
  await stage.pass(5 * second)
  t.match(stage.deliveries(), [
    { status: 'succeeded', attempts: 1 },
    { status: 'succeeded', attempts: 1 },
  ])
  t.end()
})

test('webhook endpoint - a payload that is too long has failed, and is not sent', async (t) => {
  const stage = createStage()
  await stage.create()
  await stage.emit('CP-1', 1, 'x'.repeat(limits.webhookBodyBytes))
  await stage.emit('CP-1')
  await stage.pass(second)
  t.equal(stage.attempts.length, 1)
  t.match(stage.deliveries(), [
    { status: 'failed', attempts: 0, error: /longer than/ },
    { status: 'succeeded', attempts: 1 },
  ])
  t.end()
})
