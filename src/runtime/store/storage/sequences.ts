// The numbers of an owner's batches rise: one that comes a second time, or late, would be written over what is newer. Who the owner is,
// its epoch decides. Judged where batches arrive: it is about the way that they came.

import { assert } from '../../assert.js'
import type { ChangeBatch } from '../store.js'

export interface Sequences {
  /** Throws for a batch whose number does not follow those of its owner before it. */
  note(batch: Pick<ChangeBatch, 'partition' | 'epoch' | 'sequence'>): void
}

/** By partition: its owner's epoch, and the number of the newest batch. */
export function createSequences(): Sequences {
  const newest = new Map<number, { epoch: number; sequence: number }>()
  return {
    note({ partition, epoch, sequence }) {
      // What no actor owns is in no order.
      if (partition < 0) return
      const last = newest.get(partition)
      if (last?.epoch !== epoch) {
        newest.set(partition, { epoch, sequence })
        return
      }
      assert(sequence > last.sequence, "the numbers of an owner's batches rise", sequence, last.sequence)
      last.sequence = sequence
    },
  }
}
