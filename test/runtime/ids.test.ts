// Ids: they sort by the time of their making, and bounds of time are bounds of ids.

import fc from 'fast-check'
import { test } from 'tap'
import {
  createIdMaker,
  fnv1a,
  idAt,
  lowestIdAt,
  makeId,
  placeAfter,
  placeOfId,
  timeOfId,
} from '../../src/runtime/ids.js'

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

function idAfter(before: string | undefined, prefix: string, at: number, content: Uint8Array): string {
  return idAt(prefix, placeAfter(before === undefined ? undefined : placeOfId(before), at), content)
}

test('ids - one that follows another is greater, whatever the time', (t) => {
  const content = fc.uint8Array({ maxLength: 40 })
  const property = fc.property(time, random, fc.array(fc.tuple(time, content)), (at, x, following) => {
    let before = makeId('evt', at, () => x)
    return following.every(([next, bytes]) => {
      const id = idAfter(before, 'evt', next, bytes)
      const late = timeOfId(id) - Math.max(timeOfId(before), next)
      const grows = id > before && (late === 0 || late === 1) && /^evt_[0-9A-HJKMNP-TV-Z]{26}$/.test(id)
      before = id
      return grows
    })
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }))
  const full = `evt_${'0'.repeat(9)}5${'Z'.repeat(16)}`
  const behind = idAfter(full, 'evt', 0, Buffer.of(1))
  t.equal(timeOfId(behind), 6, 'a millisecond that is full is followed by the next')
  t.match(idAfter(undefined, 'evt', 7, Buffer.of(1)), /^evt_0000000007000000/)
  t.end()
})

test('ids - what follows the same id at the same time differs where the content does', (t) => {
  const id = (content: string) => idAfter('evt_00000000050000000000000000', 'evt', 5, Buffer.from(content))
  t.equal(id('a session has ended'), id('a session has ended'))
  t.not(id('a session has ended'), id('a session has begun'))
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
