// Durable number sequences, one space per partition: a number is the partition's prefix and a counter.
// Numbers are reserved in blocks, so that most turns write nothing for them; a restart skips the rest of a block.

import { assert } from '../assert.js'
import { encodeRow } from '../codec.js'
import { limits } from '../limits.js'
import type { Change, ReadView } from '../store/store.js'
import { defineTable } from '../store/table.js'
import { partitionCount } from './partition-table.js'

/** 31-bit numbers over all partitions: many charge points hold a transaction id in a signed 32-bit integer. */
const numbersPerPartition = 2 ** 31 / partitionCount
const blockSize = 256

interface SequenceRow {
  readonly sequence: string
  readonly partition: number
  readonly reserved: number
}

export const numberSequencesTable = defineTable<SequenceRow>({
  name: 'number_sequences',
  key: (row) => [row.sequence, row.partition],
  importance: 'transaction',
})

interface Counter {
  next: number
  reserved: number
  durable: number
}

/** A block taken from the store: numbers of it may be promised once `change` is on disk. */
export interface Reservation {
  readonly change: Change
  committed(): void
}

export interface NumberSequences {
  /** Takes a number; the reservation, if any, must be part of the commit that promises the number. */
  take(sequence: string, partition: number): { readonly number: number; readonly reservation: Reservation | undefined }
}

export function createNumberSequences(read: () => ReadView): NumberSequences {
  const counters = new Map<string, Counter>()

  function counterOf(sequence: string, partition: number): Counter {
    const name = `${sequence}/${partition}`
    const known = counters.get(name)
    if (known !== undefined) return known
    const reserved = read().get(numberSequencesTable, [sequence, partition])?.reserved ?? 0
    const counter = { next: reserved + 1, reserved, durable: reserved }
    counters.set(name, counter)
    return counter
  }

  function reserve(sequence: string, partition: number, counter: Counter): Reservation {
    const reserved = counter.reserved
    return {
      change: putSequence({ sequence, partition, reserved }),
      committed() {
        counter.durable = Math.max(counter.durable, reserved)
      },
    }
  }

  return {
    take(sequence, partition) {
      const counter = counterOf(sequence, partition)
      const next = counter.next++
      if (next >= numbersPerPartition) throw new Error(`the sequence ${sequence} of partition ${partition} is used up`)
      if (next > counter.reserved) counter.reserved += blockSize
      assert(next <= counter.reserved, 'a number is promised from a block that is reserved', next, counter.reserved)
      // A block that another turn reserved, but that is not on disk yet, is reserved by this turn too: either commit suffices.
      const reservation = next <= counter.durable ? undefined : reserve(sequence, partition, counter)
      return { number: partition * numbersPerPartition + next, reservation }
    },
  }
}

/**
 * For a store that has gone back in time by `milliseconds`: moves sequences ahead, so that numbers which were given out
 * in that time are not given out again. Also where a partition has given out none: it may have, since.
 * At most half of what a partition has left is skipped.
 */
export function skipNumbers(view: ReadView, sequences: readonly string[], milliseconds: number): Change[] {
  const since = Math.ceil(Math.max(0, milliseconds) / 1000 / limits.secondsPerSkippedNumber)
  const margin = limits.skippedNumbersPerRestore + since
  return sequences.flatMap((sequence) =>
    Array.from({ length: partitionCount }, (_, partition) => {
      const reserved = view.get(numberSequencesTable, [sequence, partition])?.reserved ?? 0
      const skipped = Math.min(margin, Math.floor((numbersPerPartition - reserved) / 2))
      return putSequence({ sequence, partition, reserved: reserved + skipped })
    }),
  )
}

function putSequence(row: SequenceRow): Change {
  return { type: 'put', table: numberSequencesTable.name, key: numberSequencesTable.key(row), row: encodeRow(row) }
}
