// The partitions whose actors one shard hosts, each with the epoch by which it does: an owner that has been replaced must not pass as its
// successor in what it still writes, and a new one waits until the former has let go. The table says who is to own a partition, this who does.

import { type OwnedPartitions, type PartitionTable, partitionCount } from './partition-table.js'

/** As a table: `owner` is the shard itself only where it hosts the actors, `epoch` is the one by which it does, or finishes. */
export interface Holdings extends PartitionTable {
  holds(partition: number): boolean
  /** Returns those that it has not had by this epoch, or a newer one. */
  acquire(partitions: OwnedPartitions): readonly number[]
  /** Their actors have no more turns, and may still write what those in hand have decided. Returns those that it has not let go of. */
  leave(partitions: readonly number[]): ReadonlySet<number>
  /** Nothing is written for them any more. */
  letGo(partitions: ReadonlySet<number>): void
}

const nobody = -1
/** The epoch of what it does not hold: older than any that there is. */
const none = -1

export function createHoldings(shard: number, table: PartitionTable, first: OwnedPartitions): Holdings {
  const epochs = new Int32Array(partitionCount).fill(none)
  const left = new Set<number>()
  const epoch = (partition: number): number => epochs[partition] as number
  const holds = (partition: number): boolean => epoch(partition) !== none && !left.has(partition)

  function acquire(partitions: OwnedPartitions): readonly number[] {
    const acquired = [...partitions].filter(([partition, since]) => since > epoch(partition))
    for (const [partition, since] of acquired) {
      epochs[partition] = since
      left.delete(partition)
    }
    return acquired.map(([partition]) => partition)
  }
  acquire(first)

  return {
    holds,
    epoch,
    owner(partition) {
      if (holds(partition)) return shard
      const owner = table.owner(partition)
      return owner === shard ? nobody : owner
    },
    acquire,
    leave(partitions) {
      const leaving = new Set(partitions.filter((partition) => epoch(partition) !== none))
      for (const partition of leaving) left.add(partition)
      return leaving
    },
    letGo(partitions) {
      for (const partition of partitions) if (left.delete(partition)) epochs[partition] = none
    },
  }
}
