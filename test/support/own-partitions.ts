// The partitions of an actor host that is alone. Each life of it is a new owner, as after a takeover: it counts its batches from 1.

import type { PartitionTable } from '../../src/runtime/actor/partition-table.js'

let lives = 0

export function ownPartitions(): PartitionTable {
  const epoch = ++lives
  return { owner: () => 0, epoch: () => epoch }
}
