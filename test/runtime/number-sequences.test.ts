// Number sequences under crashes: a number that was promised is never given again.

import fc from 'fast-check'
import { test } from 'tap'
import { createNumberSequences, numberSequencesTable, skipNumbers } from '../../src/runtime/actor/number-sequences.js'
import { partitionCount } from '../../src/runtime/actor/partition-table.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import { type Change, unowned } from '../../src/runtime/store/store.js'
import { settled } from './scripted-actors.js'

const firstEpoch = () => 1

type Step =
  | { readonly type: 'take'; readonly partition: number; readonly count: number }
  | { readonly type: 'flush' | 'fail' | 'crash' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('take' as const),
      partition: fc.constantFrom(0, 1, 1023),
      count: fc.integer({ min: 1, max: 300 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ type: 'flush' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'fail' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'crash' as const }) },
)

test('number sequences - no number is promised twice, whatever fails or crashes between', async (t) => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const disk = memoryDisk()
    const store = openMemoryStore([numberSequencesTable], { disk, flushWhen: 'manual' })
    let sequences = createNumberSequences(() => store.view(), firstEpoch)
    const promised = new Set<number>()
    const faults: string[] = []
    let sequence = 0
    function promise(numbers: readonly number[]): void {
      for (const number of numbers) {
        if (promised.has(number)) faults.push(`${number} was promised twice`)
        if (!Number.isInteger(number) || number <= 0 || number >= 2 ** 31) faults.push(`${number} is out of range`)
        promised.add(number)
      }
    }
    for (const taken of steps) {
      if (taken.type === 'take') {
        const all = Array.from({ length: taken.count }, () => sequences.take('transaction', taken.partition))
        const numbers = all.map(({ number }) => number)
        const reservations = all.flatMap(({ reservation }) => reservation ?? [])
        const changes = reservations.map(({ change }) => change)
        if (changes.length === 0) promise(numbers)
        else
          void store.commit({ partition: taken.partition, epoch: 1, sequence: ++sequence, changes }).then(
            (result) => {
              if (!result.ok) return
              for (const reservation of reservations) reservation.committed()
              promise(numbers)
            },
            () => undefined,
          )
      } else if (taken.type === 'crash') {
        store.crash()
        await settled()
        sequences = createNumberSequences(() => store.view(), firstEpoch)
      } else {
        if (taken.type === 'fail') store.failNext()
        store.flush()
        await settled()
      }
    }
    store.flush()
    await settled()
    if (faults.length > 0) throw new Error(faults.join(', '))
  })
  await t.resolves(fc.assert(property, { numRuns: 200 }))
})

test('number sequences - partitions and names have numbers of their own, and most numbers write nothing', (t) => {
  const store = openMemoryStore([numberSequencesTable])
  const sequences = createNumberSequences(() => store.view(), firstEpoch)
  const first = sequences.take('transaction', 0)
  first.reservation?.committed()
  const second = sequences.take('transaction', 0)
  t.equal(second.number, first.number + 1)
  t.equal(second.reservation, undefined)
  t.equal(sequences.take('invoice', 0).number, first.number)
  const numbers = Array.from({ length: partitionCount }, (_, partition) => sequences.take('x', partition).number)
  t.equal(new Set(numbers).size, partitionCount)
  t.ok(Math.max(...numbers) < 2 ** 31)
  t.end()
})

/** What is stored of a sequence; without `partitions`, as stores of 256 partitions have it. */
function reserved(partition: number, reserved: number, partitions?: number): Change {
  const row = { sequence: 'transaction', partition, reserved, ...(partitions !== undefined && { partitions }) }
  return { type: 'put', table: numberSequencesTable.name, key: numberSequencesTable.key(row), row: encodeRow(row) }
}

test('number sequences - a partition whose numbers are used up begins anew, and never gives out 0', async (t) => {
  const store = openMemoryStore([numberSequencesTable])
  const size = 2 ** 31 / partitionCount
  await store.commit(unowned([reserved(0, size - 2, partitionCount), reserved(3, size - 2, partitionCount)]))
  const sequences = createNumberSequences(() => store.view(), firstEpoch)
  const take = (partition: number) => sequences.take('transaction', partition).number
  t.same([take(3), take(3), take(3)], [4 * size - 1, 3 * size + 1, 3 * size + 2])
  t.same([take(0), take(0)], [size - 1, 1])
})

test('number sequences - a partition that leaves its owner and comes back goes on behind what another has given out', async (t) => {
  const store = openMemoryStore([numberSequencesTable])
  let epoch = 1
  let sequence = 0
  const owners = [0, 1].map(() =>
    createNumberSequences(
      () => store.view(),
      () => epoch,
    ),
  )
  const given: number[] = []
  async function take(owner: number, count: number): Promise<void> {
    for (let taken = 0; taken < count; taken++) {
      const { number, reservation } = (owners[owner] as (typeof owners)[0]).take('transaction', 5)
      given.push(number)
      if (reservation === undefined) continue
      t.same(await store.commit({ partition: 5, epoch, sequence: ++sequence, changes: [reservation.change] }), {
        ok: true,
      })
      reservation.committed()
    }
  }
  for (const owner of [0, 1, 0, 1, 0]) {
    await take(owner, 200)
    epoch++
  }
  t.equal(new Set(given).size, 1_000)
})

test('number sequences - partitions of a store that had 256 of them give out none of the numbers that those have given out', async (t) => {
  const store = openMemoryStore([numberSequencesTable])
  const former = 2 ** 31 / 256
  const size = 2 ** 31 / partitionCount
  await store.commit(unowned([reserved(0, 300), reserved(7, size + 512), reserved(8, former - 1)]))
  const sequences = createNumberSequences(() => store.view(), firstEpoch)
  const take = (partition: number) => sequences.take('transaction', partition).number
  t.equal(take(0), 301)
  t.same([take(1), take(2)], [size + 1, 2 * size + 1])
  t.equal(take(28), 28 * size + 1, 'all of its own were given out: it begins anew')
  t.equal(take(29), 29 * size + 513)
  t.equal(take(30), 30 * size + 1)
  t.equal(take(35), 35 * size + 1)
  const { number, reservation } = sequences.take('transaction', 7)
  await store.commit(unowned([(reservation as NonNullable<typeof reservation>).change]))
  const later = createNumberSequences(() => store.view(), firstEpoch)
  t.equal(later.take('transaction', 7).number, number + 256)
  t.equal(
    later.take('transaction', 29).number,
    29 * size + 513,
    'what the new partition 7 stores is not what the former did',
  )
})

test('number sequences - a store that went back in time gives out none of the numbers that it gave out meanwhile', async (t) => {
  const taking = fc.array(fc.tuple(fc.constantFrom(0, 7, 1023), fc.integer({ min: 1, max: 400 })), { maxLength: 6 })
  const property = fc.asyncProperty(
    taking,
    taking,
    fc.integer({ min: -1000, max: 1e10 }),
    async (before, since, ms) => {
      const store = openMemoryStore([numberSequencesTable])
      async function take(taken: readonly (readonly [number, number])[]): Promise<number[]> {
        const sequences = createNumberSequences(() => store.view(), firstEpoch)
        const numbers: number[] = []
        for (const [partition, count] of taken) {
          for (let at = 0; at < count; at++) {
            const { number, reservation } = sequences.take('transaction', partition)
            numbers.push(number)
            if (reservation !== undefined) await store.commit(unowned([reservation.change]))
            reservation?.committed()
          }
        }
        return numbers
      }
      await take(before)
      const backup = store.view().list(numberSequencesTable, [])
      const given = new Set(await take(since))
      const rows = new Map(backup.map((row) => [row.partition, row.reserved]))
      const changes = Array.from({ length: partitionCount }, (_, partition) => {
        return reserved(partition, rows.get(partition) ?? 0, partitionCount)
      })
      await store.commit(unowned(changes))
      await store.commit(unowned(skipNumbers(store.view(), ['transaction'], ms)))
      const again = await take(since)
      return again.every((number) => !given.has(number) && number > 0 && number < 2 ** 31)
    },
  )
  await fc.assert(property, { numRuns: 30 })
  t.pass('none was given twice')
})

test('number sequences - only numbers that were given out before are asked about, and those in use are passed over', async (t) => {
  const store = openMemoryStore([numberSequencesTable])
  const size = 2 ** 31 / partitionCount
  await store.commit(unowned([reserved(3, size - 3, partitionCount)]))
  const sequences = createNumberSequences(() => store.view(), firstEpoch)
  const asked: number[] = []
  const isInUse = (number: number): boolean => {
    asked.push(number)
    return number <= 3 * size + 300
  }
  const take = () => sequences.take('transaction', 3, isInUse)
  t.same([take().number, take().number], [4 * size - 2, 4 * size - 1])
  t.same(asked, [], 'none of these had been given out')
  const { number, reservation } = take()
  t.equal(number, 3 * size + 301)
  t.equal(asked.length, 301)
  await store.commit(unowned(reservation === undefined ? [] : [reservation.change]))
  const restarted = createNumberSequences(() => store.view(), firstEpoch)
  t.ok(restarted.take('transaction', 3).number > number, 'what was passed over stays behind over a restart')
})
