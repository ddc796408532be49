// Who owns which partition, and since which epoch. An actor's partition is a hash of its address: the hash is the directory.

import { fnv1a } from '../ids.js'
import type { Address } from './actor.js'

/** Enough for many nodes to share them evenly. Rows depend on it: number sequences and wake-ups say how they bear another count. */
export const partitionCount = 1024

export interface PartitionTable {
  /** The index of the shard that owns the partition. */
  owner(partition: number): number
  /** Grows each time the partition changes hands. */
  epoch(partition: number): number
}

export interface WritablePartitionTable extends PartitionTable {
  /** Goes on from the epochs that the store knows, by partition: those of owners in earlier processes. */
  begin(epochs: readonly number[]): void
  assign(partition: number, owner: number): number
  /** Hand this to another thread to share the table. */
  readonly shared: SharedArrayBuffer
}

export function addressKey(address: Address): string {
  return address.key ?? `${address.kind}/${address.id}`
}

export function partitionOf(key: string): number {
  return fnv1a(key) % partitionCount
}

/** One table for all threads of a process; only the supervisor assigns. */
export function sharedPartitionTable(shared = new SharedArrayBuffer(partitionCount * 8)): WritablePartitionTable {
  const cells = new Int32Array(shared)
  return {
    shared,
    begin(epochs) {
      for (const [partition, epoch] of epochs.slice(0, partitionCount).entries())
        Atomics.store(cells, partition * 2 + 1, epoch)
    },
    owner: (partition) => Atomics.load(cells, partition * 2),
    epoch: (partition) => Atomics.load(cells, partition * 2 + 1),
    assign(partition, owner) {
      Atomics.store(cells, partition * 2, owner)
      return Atomics.add(cells, partition * 2 + 1, 1) + 1
    },
  }
}

/** The epochs as they are now: an owner that has been replaced must not pass as its successor in what it still writes. */
export function asOwner(table: PartitionTable): PartitionTable {
  const epochs = Int32Array.from({ length: partitionCount }, (_, partition) => table.epoch(partition))
  return { owner: table.owner, epoch: (partition) => epochs[partition] as number }
}
