// How a shard comes by its partitions, at the start of the process and when it takes the place of one that has ended: from then on what its
// predecessor still writes is refused.

import { partitionCount, type WritablePartitionTable } from '../actor/partition-table.js'

export interface TakeOverOptions {
  readonly shard: number
  readonly shards: number
  readonly partitions: Pick<WritablePartitionTable, 'assign'>
  /** Resolves when the store takes nothing of older epochs any more. */
  readonly fence: (partitions: readonly number[], epochs: readonly number[]) => Promise<void>
}

export async function takeOver({ shard, shards, partitions, fence }: TakeOverOptions): Promise<void> {
  const owned = Array.from({ length: partitionCount }, (_, partition) => partition).filter(
    (partition) => partition % shards === shard,
  )
  const epochs = owned.map((partition) => partitions.assign(partition, shard))
  await fence(owned, epochs)
}
