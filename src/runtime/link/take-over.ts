// How a shard comes by its partitions, at the start of the process and when it takes the place of one that has ended: from then on what its
// predecessor still writes is refused.

import { type OwnedPartitions, ownedBy, type WritablePartitionTable } from '../actor/partition-table.js'

export interface TakeOverOptions {
  readonly shard: number
  readonly partitions: Pick<WritablePartitionTable, 'owner' | 'epoch' | 'assign'>
  /** Resolves when the store takes nothing of older epochs any more. */
  readonly fence: (partitions: readonly number[], epochs: readonly number[]) => Promise<void>
}

/** Of all that the table gives to the shard. */
export async function takeOver({ shard, partitions, fence }: TakeOverOptions): Promise<OwnedPartitions> {
  const owned = new Map<number, number>()
  for (const partition of ownedBy(partitions, shard).keys()) owned.set(partition, partitions.assign(partition, shard))
  await fence([...owned.keys()], [...owned.values()])
  return owned
}
