// The overload ladder: up at its rungs, down only well below them.

import fc from 'fast-check'
import { test } from 'tap'
import { type OverloadLevel, overloadLevel } from '../../src/runtime/thread/overload.js'

const late = (loopDelayMs: number) => ({ loopDelayMs, windowShare: 0 })
const full = (windowShare: number) => ({ loopDelayMs: 0, windowShare })

test('overload - a late loop or a full window climbs, by the worse of the two', (t) => {
  t.equal(overloadLevel(late(0), 0), 0)
  t.equal(overloadLevel(late(999), 0), 0)
  t.equal(overloadLevel(late(1_000), 0), 1)
  t.equal(overloadLevel(late(2_000), 0), 2)
  t.equal(overloadLevel(late(3_000), 0), 3)
  t.equal(overloadLevel(full(0.5), 0), 1)
  t.equal(overloadLevel(full(0.75), 0), 2)
  t.equal(overloadLevel(full(0.9), 0), 3)
  t.equal(overloadLevel({ loopDelayMs: 1_000, windowShare: 0.9 }, 0), 3)
  t.end()
})

test('overload - a rung is left only well below where it was reached', (t) => {
  t.equal(overloadLevel(late(900), 1), 1)
  t.equal(overloadLevel(late(699), 1), 0)
  t.equal(overloadLevel(late(2_500), 3), 3)
  t.equal(overloadLevel(late(2_000), 3), 2)
  t.equal(overloadLevel(late(2_500), 2), 2, 'and is not reached any sooner')
  t.equal(overloadLevel(late(0), 3), 0)
  t.end()
})

test('overload - the same load twice gives the same level twice', (t) => {
  const level = fc.constantFrom<OverloadLevel>(0, 1, 2, 3)
  const load = fc.record({ loopDelayMs: fc.nat(5_000), windowShare: fc.double({ min: 0, max: 1, noNaN: true }) })
  const property = fc.property(load, level, (load, present) => {
    const once = overloadLevel(load, present)
    return overloadLevel(load, once) === once
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 1_000 }))
  t.end()
})
