// Number sequences under crashes: a number that was promised is never given again.

import fc from 'fast-check'
import { test } from 'tap'
import { createNumberSequences, numberSequencesTable, skipNumbers } from '../../src/runtime/actor/number-sequences.js'
import { partitionCount } from '../../src/runtime/actor/partition-table.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import { unowned } from '../../src/runtime/store/store.js'
import { settled } from './scripted-actors.js'

type Step =
  | { readonly type: 'take'; readonly partition: number; readonly count: number }
  | { readonly type: 'flush' | 'fail' | 'crash' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('take' as const),
      partition: fc.constantFrom(0, 1, 255),
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
    let sequences = createNumberSequences(() => store.view())
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
        sequences = createNumberSequences(() => store.view())
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
  const sequences = createNumberSequences(() => store.view())
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

test('number sequences - a partition whose numbers are used up says so', async (t) => {
  const store = openMemoryStore([numberSequencesTable])
  const full = 2 ** 31 / partitionCount - 1
  const { change } = createNumberSequences(() => store.view()).take('transaction', 3).reservation ?? {}
  t.ok(change)
  await store.commit({
    partition: 3,
    epoch: 1,
    sequence: 1,
    changes: [
      {
        type: 'put',
        table: numberSequencesTable.name,
        key: ['transaction', 3],
        row: encodeRow({ sequence: 'transaction', partition: 3, reserved: full - 1 }),
      },
    ],
  })
  const sequences = createNumberSequences(() => store.view())
  t.equal(sequences.take('transaction', 3).number, 3 * (2 ** 31 / partitionCount) + full)
  t.throws(() => sequences.take('transaction', 3), /used up/)
})

test('number sequences - a store that went back in time gives out none of the numbers that it gave out meanwhile', async (t) => {
  const taking = fc.array(fc.tuple(fc.constantFrom(0, 7, 255), fc.integer({ min: 1, max: 400 })), { maxLength: 6 })
  const property = fc.asyncProperty(
    taking,
    taking,
    fc.integer({ min: -1000, max: 1e10 }),
    async (before, since, ms) => {
      const store = openMemoryStore([numberSequencesTable])
      async function take(taken: readonly (readonly [number, number])[]): Promise<number[]> {
        const sequences = createNumberSequences(() => store.view())
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
        const row = { sequence: 'transaction', partition, reserved: rows.get(partition) ?? 0 }
        return {
          type: 'put' as const,
          table: numberSequencesTable.name,
          key: ['transaction', partition],
          row: encodeRow(row),
        }
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
