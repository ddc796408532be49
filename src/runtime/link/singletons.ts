// What exists once in the installation is done by the owner of a partition: it moves with the partition, and what a former owner still
// writes is refused, as with an actor.

import type { Address } from '../actor/actor.js'
import type { Holdings } from '../actor/holdings.js'
import { type PartitionTable, partitionOf } from '../actor/partition-table.js'
import type { Change, ChangeBatch, CommitResult } from '../store/store.js'

/** One thing that exists once, as a shard sees it. */
export interface Singleton {
  /** Whether it is this shard's to do, now. */
  owned(): boolean
  /** As the owner: refused once another is. */
  commit(changes: readonly Change[]): Promise<CommitResult>
  tell(to: Address, message: unknown): void
}

export interface SingletonOptions {
  readonly partitions: PartitionTable
  /** What this shard owns. */
  readonly own: Holdings
  readonly commit: (batch: Omit<ChangeBatch, 'sequence'>) => Promise<CommitResult>
  readonly tell: (to: Address, message: unknown) => void
  /** Asks for a turn, which sends what has gathered. */
  readonly soon: () => void
}

export function singletonPartition(name: string): number {
  return partitionOf(`singleton/${name}`)
}

export function createSingleton(name: string, { partitions, own, commit, tell, soon }: SingletonOptions): Singleton {
  const partition = singletonPartition(name)
  return {
    owned: () => own.holds(partition) && partitions.epoch(partition) === own.epoch(partition),
    commit(changes) {
      soon()
      return commit({ partition, epoch: own.epoch(partition), changes: [...changes] })
    },
    tell,
  }
}
