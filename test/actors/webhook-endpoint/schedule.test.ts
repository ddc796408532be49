// The whole schedules of both forms, in the time that they take: when attempts are made, and what is stored of them.

import { test } from 'tap'
import { readRetryAfter, retryDelayMs } from '../../../src/actors/webhook-endpoint/schedule.js'
import { createStage, endpointId, hour, minute, second } from './stage.js'

const day = 24 * hour

/** Between the end of each attempt and the next; an attempt takes 1 ms here. */
function delays(attempts: readonly { readonly at: number }[]): number[] {
  return attempts.slice(1).map(({ at }, before) => at - (attempts[before]?.at ?? 0) - 1)
}

test('webhook endpoint - form B is retried after 5 s, 30 s, 5 min, 30 min and 2 h, and has failed then', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 500)
  await stage.emit('CP-1')
  await stage.pass(1)
  t.match(stage.deliveries(), [
    { status: 'pending', attempts: 1, response_code: 500, next_retry_at: stage.clock.now() + 5 * second },
  ])
  await stage.pass(day)
  t.same(delays(stage.attempts), [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour])
  t.match(stage.deliveries(), [
    { status: 'failed', attempts: 6, response_code: 500, next_retry_at: undefined, delivered_at: undefined },
  ])
  t.equal(new Set(stage.attempts.map(({ eventId }) => eventId)).size, 1, 'under one id')
  t.same(stage.wakeUps(), [])
  t.same(stage.statistics().timers, 0)
  t.end()
})

for (const [random, share] of [
  [0, 1],
  [0.999_999, 0.9],
] as const)
  test(`webhook endpoint - form A is retried over a day, with jitter: ${share} of each pause`, async (t) => {
    const stage = createStage({ random: () => random })
    await stage.create({ payload_format: 'a' })
    stage.receiver(() => 500)
    await stage.emit('CP-1')
    await stage.pass(2 * day)
    const wanted = [minute, 10 * minute, hour, 6 * hour, 17 * hour].map((pause) => pause * share)
    const made = delays(stage.attempts)
    t.equal(made.length, 5)
    for (const [at, pause] of made.entries())
      t.ok(Math.abs(pause - (wanted[at] ?? 0)) < second, `retry ${at + 1}: ${pause}`)
    t.match(stage.deliveries(), [{ status: 'failed', attempts: 6 }])
    t.end()
  })

test('webhook endpoint - a receiver has 10 s in form A and 30 s in form B', async (t) => {
  for (const [payload_format, timeoutMs] of [
    ['a', 10 * second],
    ['b', 30 * second],
  ] as const) {
    const stage = createStage()
    await stage.create({ payload_format })
    stage.receiver(() => 'never')
    await stage.emit('CP-1')
    t.same(stage.deliveries(), [])
    await stage.pass(timeoutMs)
    t.equal(stage.attempts[0]?.request.timeoutMs, timeoutMs)
    t.match(stage.deliveries(), [
      { status: 'pending', attempts: 1, response_code: undefined, error: 'there was no complete answer' },
    ])
  }
  t.end()
})

test('webhook endpoint - it is delivered when a retry succeeds, and not retried again', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => (stage.attempts.length < 3 ? 503 : 204))
  await stage.emit('CP-1')
  await stage.pass(day)
  t.equal(stage.attempts.length, 3)
  const [delivery] = stage.deliveries()
  t.match(delivery, { endpoint_id: endpointId, status: 'succeeded', attempts: 3, response_code: 204, error: undefined })
  t.equal(delivery?.delivered_at, (stage.attempts[2]?.at ?? 0) + 1)
  t.equal(delivery?.next_retry_at, undefined)
  t.end()
})

test('webhook endpoint - redirects are failures', async (t) => {
  const stage = createStage()
  await stage.create()
  stage.receiver(() => 302)
  await stage.emit('CP-1')
  await stage.pass(1)
  t.match(stage.deliveries(), [{ status: 'pending', response_code: 302, error: 'redirects are not followed' }])
  t.end()
})

test('webhook endpoint - Retry-After puts a retry off where the status allows for it, within a bound', async (t) => {
  const header = (value: string) => ({ 'retry-after': value })
  const wanted: readonly (readonly [number, string, number])[] = [
    [429, '120', 120 * second],
    [503, '2', 5 * second],
    [502, '999999999', hour],
    [504, 'soon', 5 * second],
    [500, '120', 5 * second],
  ]
  for (const [status, value, pause] of wanted) {
    const stage = createStage()
    await stage.create()
    stage.receiver(() => (stage.attempts.length === 1 ? { status, headers: header(value) } : 200))
    await stage.emit('CP-1')
    await stage.pass(2 * hour)
    t.same(delays(stage.attempts), [pause], `${status} ${value}`)
  }
  t.end()
})

test('schedule - Retry-After is read as seconds or as a date', (t) => {
  const now = Date.UTC(2026, 10, 1)
  t.equal(readRetryAfter('30', now), 30_000)
  t.equal(readRetryAfter('Sun, 01 Nov 2026 00:01:00 GMT', now), minute)
  t.equal(readRetryAfter('Sun, 01 Nov 2020 00:01:00 GMT', now), 0)
  t.equal(readRetryAfter('-5', now), undefined)
  t.equal(readRetryAfter('', now), undefined)
  t.equal(readRetryAfter(undefined, now), undefined)
  t.equal(retryDelayMs('b', 6, 10, 0), undefined)
  t.end()
})

test('webhook endpoint - near retries are on time to the millisecond, far ones to the second, in memory or not', async (t) => {
  for (const leavesMemory of [false, true]) {
    const stage = createStage()
    await stage.create()
    stage.receiver(() => 500)
    await stage.emit('CP-1')
    for (let passed = 0; passed < 4 * hour; passed += minute) {
      await stage.pass(minute)
      if (leavesMemory) stage.passivate()
    }
    for (const [at, wanted] of [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour].entries()) {
      const late = (delays(stage.attempts)[at] ?? Number.NaN) - wanted
      t.ok(late >= 0 && late < second, `retry ${at + 1} is ${late} ms late`)
    }
  }
  t.end()
})

test('webhook endpoint - a clock that is set meanwhile moves no retry of an endpoint in memory', async (t) => {
  for (const stepMs of [hour, -hour]) {
    const stage = createStage()
    await stage.create()
    stage.receiver(() => 500)
    await stage.emit('CP-1')
    await stage.pass(1)
    stage.clock.set(stage.clock.now() + stepMs)
    await stage.pass(40 * second)
    t.same(stage.attempts.length, 3)
    const [, second2, third] = stage.attempts
    t.equal((third?.at ?? 0) - (second2?.at ?? 0) - 1, 30 * second)
  }
  t.end()
})
