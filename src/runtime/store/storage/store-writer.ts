// What the owner of a store may do beyond reading and committing, and what it is opened with.

import type { Clock } from '../../clock.js'
import type { StoredTime } from '../../steady-time.js'
import type { Store } from '../store.js'
import type { MigrationPart } from './meta.js'
import type { Migration } from './migrate.js'
import type { Outcome, StoreRecord } from './record.js'
import type { Space } from './space.js'

export interface StoreWriter extends Store {
  /** How often this store has been opened for writing, this time included: grows with every start. */
  readonly bootNumber: number
  /** The newest epoch of each partition, by partition: whoever takes one over goes on from there. */
  epochs(): readonly number[]
  /**
   * From now on refuses batches of these partitions with an epoch below that of the same place in `epochs`;
   * resolves once everything accepted earlier is on disk.
   */
  fence(partitions: readonly number[], epochs: readonly number[]): Promise<void>
  /**
   * From now on keeps rows of these tables for so many days, and those of all others for as long as their tables say;
   * resolves with whether the disk took it.
   */
  keep(days: Readonly<Record<string, number>>): Promise<boolean>
  /**
   * Removes rows past their retention, at most `limits.prunedRowsPerPass`, and gives free what readers that have died
   * still held; resolves with how many rows are gone from disk.
   */
  prune(nowMs: number): Promise<number>
  /** Steady time and wall time, as they were stored last. */
  time(): StoredTime | undefined
  /** Resolves with whether the disk took it. */
  storeTime(time: StoredTime): Promise<boolean>
  /** Allocates room for when the disk is full, while it is not; to be called now and then. */
  reserve(): void
  /** Writes something of its own; resolves with whether the disk took it. */
  probe(): Promise<boolean>
}

/** One transaction of the writer. */
export interface GroupMeasure {
  readonly batches: number
  readonly changes: number
  readonly milliseconds: number
  /** False when the disk refused the group. */
  readonly written: boolean
}

export interface StoreOptions {
  /** The version of the rows' shapes that this program writes; 1 unless given. */
  readonly schemaVersion?: number
  readonly migrations?: readonly Migration[]
  readonly onMigrationPart?: (part: MigrationPart) => void
  readonly onGroup?: (measure: GroupMeasure) => void
  readonly clock?: Clock
  /** What the disk still takes; everything, unless given. */
  readonly space?: Space
  /** As in GroupCommitOptions. */
  readonly onBroken?: ((error: Error) => void) | undefined
  /** Told the topics of what was added to tables that are followed, once the disk has it. */
  readonly onAppended?: (topics: readonly string[]) => void
  /** As in GroupCommitOptions. */
  readonly onApplied?: ((record: StoreRecord, outcomes: readonly Outcome[]) => void) | undefined
}
