// Durable number sequences, one space per partition: a number is the partition's prefix and a counter.
// Numbers are reserved in blocks, so that most turns write nothing for them; a restart skips the rest of a block. After some
// millions a partition begins anew: whoever takes a number passes over one that is still in use.

import { assert } from '../assert.js'
import { encodeRow } from '../codec.js'
import { limits } from '../limits.js'
import type { Change, ReadView } from '../store/store.js'
import { defineTable } from '../store/table.js'
import { partitionCount } from './partition-table.js'

/** 31-bit numbers over all partitions: many charge points hold a transaction id in a signed 32-bit integer. */
const numbersPerPartition = 2 ** 31 / partitionCount
/** One fewer, since 0 is no transaction id. */
const numbersPerRound = numbersPerPartition - 1
const blockSize = 256
/** How many partitions there were in stores whose rows do not say so. */
const formerPartitionCount = 256

interface SequenceRow {
  readonly sequence: string
  readonly partition: number
  /** How many partitions there are: another count divides the numbers otherwise. */
  readonly partitions?: number
  /** How many numbers were taken, or may have been; after a whole round they begin anew. */
  readonly reserved: number
}

export const numberSequencesTable = defineTable<SequenceRow>({
  name: 'number_sequences',
  key: ({ sequence, partition, partitions }) =>
    partitions === undefined ? [sequence, partition] : [sequence, partitions, partition],
  importance: 'transaction',
})

interface Counter {
  readonly epoch: number
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
  /**
   * Takes a number; the reservation, if any, must be part of the commit that promises the number. Where numbers have begun anew, those that
   * `isInUse` says are passed over.
   */
  take(sequence: string, partition: number, isInUse?: IsInUse): Taken
}

/** Whether a number that was given out long ago still stands for something. */
export type IsInUse = (number: number) => boolean

interface Taken {
  readonly number: number
  readonly reservation: Reservation | undefined
}

/**
 * `epochOf` says since when this owner has a partition. What it knew of one that it had before is forgotten: another owner has
 * given out numbers since.
 */
export function createNumberSequences(read: () => ReadView, epochOf: (partition: number) => number): NumberSequences {
  const counters = new Map<string, Counter>()

  function counterOf(sequence: string, partition: number): Counter {
    const name = `${sequence}/${partition}`
    const epoch = epochOf(partition)
    const known = counters.get(name)
    if (known?.epoch === epoch) return known
    const reserved = reservedOf(read(), sequence, partition)
    const counter = { epoch, next: reserved + 1, reserved, durable: reserved }
    counters.set(name, counter)
    return counter
  }

  function reserve(sequence: string, partition: number, counter: Counter): Reservation {
    const reserved = counter.reserved
    return {
      change: putSequence(sequence, partition, reserved),
      committed() {
        counter.durable = Math.max(counter.durable, reserved)
      },
    }
  }

  return {
    take(sequence, partition, isInUse) {
      const counter = counterOf(sequence, partition)
      const numberOf = (count: number): number => partition * numbersPerPartition + 1 + ((count - 1) % numbersPerRound)
      const isTaken = (count: number): boolean => count > numbersPerRound && isInUse?.(numberOf(count)) === true
      const round = counter.next + numbersPerRound
      while (isTaken(counter.next)) {
        counter.next++
        assert(counter.next < round, 'of a whole round, one number is free', sequence, partition)
      }
      const next = counter.next++
      while (next > counter.reserved) counter.reserved += blockSize
      assert(next <= counter.reserved, 'a number is promised from a block that is reserved', next, counter.reserved)
      // A block that another turn reserved, but that is not on disk yet, is reserved by this turn too: either commit suffices.
      const reservation = next <= counter.durable ? undefined : reserve(sequence, partition, counter)
      return { number: numberOf(next), reservation }
    },
  }
}

/** Where nothing is stored of a partition: what the one had taken in whose numbers its own were, when there were fewer partitions. */
function reservedOf(view: ReadView, sequence: string, partition: number): number {
  const row = view.get(numberSequencesTable, [sequence, partitionCount, partition])
  if (row !== undefined) return row.reserved
  const share = partitionCount / formerPartitionCount
  const former = view.get(numberSequencesTable, [sequence, Math.floor(partition / share)])
  const taken = (former?.reserved ?? 0) - (partition % share) * numbersPerPartition
  return Math.min(Math.max(0, taken), numbersPerRound)
}

/**
 * For a store that has gone back in time by `milliseconds`: moves sequences ahead, so that numbers which were given out
 * in that time are not given out again. Also where a partition has given out none: it may have, since.
 * At most half of a round is skipped.
 */
export function skipNumbers(view: ReadView, sequences: readonly string[], milliseconds: number): Change[] {
  const since = Math.ceil(Math.max(0, milliseconds) / 1000 / limits.secondsPerSkippedNumber)
  const skipped = Math.min(limits.skippedNumbersPerRestore + since, Math.floor(numbersPerRound / 2))
  return sequences.flatMap((sequence) =>
    Array.from({ length: partitionCount }, (_, partition) =>
      putSequence(sequence, partition, reservedOf(view, sequence, partition) + skipped),
    ),
  )
}

function putSequence(sequence: string, partition: number, reserved: number): Change {
  const row: SequenceRow = { sequence, partition, partitions: partitionCount, reserved }
  return { type: 'put', table: numberSequencesTable.name, key: numberSequencesTable.key(row), row: encodeRow(row) }
}
