// What a store is changed by: records, one after the other. Whoever applies the same records to the same store gets the same store, byte
// by byte. So a record carries its own time, and whatever its maker decided by a clock, by settings or by a disk.

import type { StoredTime } from '../../steady-time.js'
import type { ChangeBatch, CommitResult } from '../store.js'
import type { SpaceLevel } from './space.js'

export type Entry =
  | { readonly type: 'batch'; readonly batch: ChangeBatch }
  /** Partitions have new owners: batches of older epochs are refused from here on. */
  | { readonly type: 'assign'; readonly partitions: readonly number[]; readonly epochs: readonly number[] }
  /** How full the disk is: while it is not at level 0, series are thinned. */
  | { readonly type: 'space'; readonly level: SpaceLevel }
  /** For how many days rows are kept, by table, instead of what the table says. */
  | { readonly type: 'keep'; readonly days: Readonly<Record<string, number>> }
  /** Rows older than a time (ms, by table) are removed, the oldest first, at most so many in all. */
  | { readonly type: 'prune'; readonly before: Readonly<Record<string, number>>; readonly rows: number }
  /** Steady time and wall time of one moment, where the next run goes on. */
  | { readonly type: 'time'; readonly time: StoredTime }
  /** Shows that the disk takes a write. */
  | { readonly type: 'probe' }

export interface StoreRecord {
  /** Its maker's wall time, ms. It may be behind that of the record before: clocks are set back. */
  readonly at: number
  readonly entries: readonly Entry[]
}

/** What became of an entry; a pruning also says how many rows it has removed. */
export type Outcome = CommitResult | { readonly ok: true; readonly removed: number }
