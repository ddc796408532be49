// Ids: they sort by the time of their making, and bounds of time are bounds of ids.

import fc from 'fast-check'
import { test } from 'tap'
import { createIdMaker, fnv1a, lowestIdAt, makeId, timeOfId } from '../../src/runtime/ids.js'

const time = fc.integer({ min: 0, max: 2 ** 47 })
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('ids - they sort by time and tell it', (t) => {
  const property = fc.property(time, time, random, random, (a, b, x, y) => {
    const first = makeId('cmd', a, () => x)
    const second = makeId('cmd', b, () => y)
    return timeOfId(first) === a && (a === b || first < second === a < b)
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }))
  t.match(makeId('cmd', 1, Math.random), /^cmd_[0-9A-HJKMNP-TV-Z]{26}$/)
  t.end()
})

test('ids - the lowest id of a time is below all of that time and above all before it', (t) => {
  const property = fc.property(time, random, (at, x) => {
    const bound = lowestIdAt('cmd', at)
    return bound <= makeId('cmd', at, () => x) && (at === 0 || makeId('cmd', at - 1, () => x) < bound)
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }))
  t.end()
})

test('ids - a time before the first or after the last that an id can have is a bound all the same', (t) => {
  t.equal(lowestIdAt('cmd', 0), `cmd_${'0'.repeat(26)}`)
  t.equal(lowestIdAt('cmd', -1), lowestIdAt('cmd', 0))
  t.equal(lowestIdAt('cmd', 2 ** 50), lowestIdAt('cmd', 2 ** 48 - 1))
  t.end()
})

test('ids - FNV-1a gives its published values', (t) => {
  t.equal(fnv1a(''), 0x811c9dc5)
  t.equal(fnv1a('a'), 0xe40c292c)
  t.equal(fnv1a('foobar'), 0xbf9cf968)
  t.end()
})

test('ids - those of one maker sort as they were made, whatever the clock does', (t) => {
  let now = 5_000
  const newId = createIdMaker({ now: () => now }, Math.random)
  const ids: string[] = []
  for (let at = 0; at < 300; at++) {
    ids.push(newId('cmd'))
    if (at % 50 === 0) now += at % 100 === 0 ? 3 : -5
  }
  t.same(ids, [...ids].sort())
  t.equal(new Set(ids).size, 300)
  t.match(ids[0], /^cmd_/)
  t.end()
})

test('ids - those of a new maker are greater than those of its predecessor, wherever the clock is', (t) => {
  // 0 is no time to ulid, and random parts near their end cannot be counted up.
  const present = fc.integer({ min: 1, max: 2 ** 47 })
  const low = fc.double({ min: 0, max: 0.9, noNaN: true })
  const property = fc.property(present, present, low, (before, after, x) => {
    const newest = createIdMaker({ now: () => before }, () => x)('evt')
    const next = createIdMaker({ now: () => after }, () => x, newest)
    const [first, second] = [next('evt'), next('evt')] as const
    return newest < first && first < second
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }))
  t.end()
})

test('ids - those of a new maker follow the last of an earlier one, also when the clock has gone back', (t) => {
  const earlier = createIdMaker({ now: () => 90_000_000 }, Math.random)('evt')
  const newId = createIdMaker({ now: () => 5_000 }, Math.random, earlier)
  const ids = [earlier, newId('evt'), newId('evt')]
  t.same(ids, [...ids].sort())
  t.equal(new Set(ids).size, 3)
  t.end()
})
