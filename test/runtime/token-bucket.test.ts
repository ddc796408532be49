// Token buckets: bursts, averages, costs, and the bound of how many are kept.

import fc from 'fast-check'
import { test } from 'tap'
import {
  createTokenBuckets,
  fullAtOf,
  fullBucket,
  secondsUntil,
  takeTokens,
  tokensIn,
} from '../../src/runtime/token-bucket.js'
import { createFakeClock } from '../support/fake-clock.js'

test('token bucket - bursts, and on average as often as is set', (t) => {
  const rate = { perSecond: 2, burst: 10 }
  const bucket = fullBucket(rate, 0)
  const taken = (now: number, times: number): number => {
    let count = 0
    for (let at = 0; at < times; at++) if (takeTokens(bucket, rate, now)) count++
    return count
  }
  t.equal(taken(0, 20), 10)
  t.equal(taken(1_000, 20), 2)
  t.equal(taken(1_250, 20), 0)
  t.equal(secondsUntil(bucket, rate, 1_250), 0.25)
  t.equal(taken(1_500, 20), 1)
  t.equal(taken(1_000_000, 20), 10)
  t.end()
})

test('token bucket - whatever is asked for, no more is taken than the burst and what came since', (t) => {
  const step = fc.record({ wait: fc.nat(5_000), cost: fc.integer({ min: 1, max: 30 }) })
  fc.assert(
    fc.property(
      fc.array(step),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 20 }),
      (steps, burst, perSecond) => {
        const rate = { perSecond, burst }
        const bucket = fullBucket(rate, 0)
        let now = 0
        let taken = 0
        for (const { wait, cost } of steps) {
          now += wait
          const left = tokensIn(bucket.fullAt, rate, now)
          if (takeTokens(bucket, rate, now, cost)) taken += cost
          else if (left >= cost || tokensIn(bucket.fullAt, rate, now) < left) return false
        }
        return taken <= burst + (now * perSecond) / 1000 + 0.01
      },
    ),
  )
  t.end()
})

test('token bucket - one that is not full is as it was put down', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.nat(1_000_000),
      fc.nat(4_000_000_000),
      (perSecond, tokens, now) => {
        const rate = { perSecond, burst: 1_000_000 }
        const fullAt = fullAtOf(tokens, rate, now)
        return fullAt >= now && Math.abs(tokensIn(fullAt, rate, now) - tokens) < 1
      },
    ),
  )
  t.end()
})

test('token bucket - all of a burst is there, whatever the time', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3_000 }),
      fc.double({ min: 0, max: 4e9, noNaN: true }),
      fc.constantFrom(3, 7, 20, 50, 0.3, 1 / 3_600),
      (burst, now, perSecond) => {
        const bucket = fullBucket({ perSecond, burst }, now)
        let taken = 0
        while (takeTokens(bucket, { perSecond, burst }, now)) taken++
        return taken === burst
      },
    ),
  )
  t.end()
})

test('token buckets - each key has its own, full ones are forgotten, and there are never more than may be', (t) => {
  const clock = createFakeClock()
  const buckets = createTokenBuckets({ perSecond: 1, burst: 2 }, clock, 100)
  t.equal(buckets.take('one'), true)
  t.equal(buckets.take('one'), true)
  t.equal(buckets.take('one'), false)
  t.equal(buckets.take('other'), true)
  t.equal(buckets.secondsUntil('one'), 1)
  t.equal(buckets.secondsUntil('nobody'), 0)
  clock.advance(3_000)
  for (let at = 0; at < 2; at++) buckets.take('third')
  t.equal(buckets.size, 1, 'the first two are full again')
  for (let at = 0; at < 10_000; at++) buckets.take(`stranger ${at}`)
  t.equal(buckets.size, 100)
  t.equal(buckets.take('stranger 9999'), true)
  t.equal(buckets.take('stranger 9999'), false, 'whoever has just asked is remembered')
  t.end()
})
