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
  /**
   * Spreads the partitions over so many owners, and goes on from the epochs that the store knows, by partition: those of owners in earlier
   * processes. Each owner then takes over what it was given.
   */
  begin(owners: number, epochs: readonly number[]): void
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
    begin(owners, epochs) {
      for (let partition = 0; partition < partitionCount; partition++) {
        Atomics.store(cells, partition * 2, partition % owners)
        Atomics.store(cells, partition * 2 + 1, epochs[partition] ?? 0)
      }
    },
    owner: (partition) => Atomics.load(cells, partition * 2),
    epoch: (partition) => Atomics.load(cells, partition * 2 + 1),
    assign(partition, owner) {
      Atomics.store(cells, partition * 2, owner)
      return Atomics.add(cells, partition * 2 + 1, 1) + 1
    },
  }
}

/** Partitions, each with the epoch by which somebody owns it. */
export type OwnedPartitions = ReadonlyMap<number, number>

/** What the table gives to an owner now. */
export function ownedBy(table: PartitionTable, owner: number): OwnedPartitions {
  const owned = new Map<number, number>()
  for (let partition = 0; partition < partitionCount; partition++)
    if (table.owner(partition) === owner) owned.set(partition, table.epoch(partition))
  return owned
}

/** The table as its reader knows it, who learns of a change when it is ready to go by it. */
export interface KnownTable extends PartitionTable {
  /** Looks at the partition again. */
  learn(partition: number): void
}

export function knownTable(table: PartitionTable): KnownTable {
  const owners = Int32Array.from({ length: partitionCount }, (_, partition) => table.owner(partition))
  const epochs = Int32Array.from({ length: partitionCount }, (_, partition) => table.epoch(partition))
  return {
    owner: (partition) => owners[partition] as number,
    epoch: (partition) => epochs[partition] as number,
    learn(partition) {
      owners[partition] = table.owner(partition)
      epochs[partition] = table.epoch(partition)
    },
  }
}
