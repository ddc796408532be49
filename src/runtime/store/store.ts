// The seam to durable state: snapshot reads on any thread, atomic commits that resolve when they are on disk.
// Everything above knows these interfaces; only lmdb-store.ts knows LMDB.

import type { Key, Table } from './table.js'

/** Bounds of a list, inside a table or inside an index group. Keys here are prefixes of what follows the group. */
export interface ListQuery {
  /** First key to take, inclusive, in ascending order. */
  readonly from?: Key
  /** End, exclusive, in ascending order. */
  readonly to?: Key
  readonly reverse?: boolean
  readonly offset?: number
  readonly limit?: number
}

export interface ReadView {
  get<Row>(table: Table<Row>, key: Key): Row | undefined
  /** Rows in primary-key order; `prefix` limits the list to keys that begin with it. */
  list<Row>(table: Table<Row>, prefix: Key, query?: ListQuery): Row[]
  /** Rows of one index group, in the index's order. Costs the page, plus a native skip over `offset`. */
  listBy<Row>(table: Table<Row>, index: string, group: Key, query?: ListQuery): Row[]
  /** The group's total weight, kept at every commit: one read. */
  total<Row>(table: Table<Row>, index: string, group: Key): number
  /** How many entries of a group lie in bounds, counted by walking keys only. */
  countBetween<Row>(table: Table<Row>, index: string, group: Key, query: ListQuery): number
}

export type Change =
  | {
      readonly type: 'put'
      readonly table: string
      readonly row: Uint8Array
      readonly key: Key
      /** Only what the table's thinning keeps of it is written, as while space is low. */
      readonly thin?: true
    }
  | { readonly type: 'remove'; readonly table: string; readonly key: Key }

/** A precondition, evaluated in the same transaction as the changes. */
export type Condition =
  | { readonly table: string; readonly key: Key; readonly is: 'absent' | 'present' }
  /** The row's `version` field equals this; 0 for a row without one. */
  | { readonly table: string; readonly key: Key; readonly is: 'version'; readonly version: number }
  /** The group's total is less than `total`: of what is added at once, no more is taken than there is room for. */
  | {
      readonly table: string
      readonly index: string
      readonly group: Key
      readonly is: 'below'
      readonly total: number
    }

/** A log record: everything that one turn of one partition changes, all or nothing. */
export interface ChangeBatch {
  readonly partition: number
  /** The partition's owner at the time; a batch of an owner that has been replaced is refused. */
  readonly epoch: number
  readonly sequence: number
  readonly changes: readonly Change[]
  readonly conditions?: readonly Condition[]
}

/** A batch of rows that no actor owns: they belong to no partition, and their conditions take the place of an owner. */
export function unowned(changes: readonly Change[], conditions?: readonly Condition[]): ChangeBatch {
  return { partition: -1, epoch: 0, sequence: 0, changes, ...(conditions !== undefined && { conditions }) }
}

export type CommitResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'condition_failed'; readonly condition: number }
  | { readonly ok: false; readonly reason: 'stale_epoch' }
  | { readonly ok: false; readonly reason: 'storage_unavailable'; readonly message: string }

export type CommitFailure = Exclude<CommitResult, { readonly ok: true }>

export interface Store {
  /** A synchronous view; it sees every commit made before this turn of the event loop. */
  view(): ReadView
  /** Atomic; resolves when the disk has it. A refusal is a result, not an exception. */
  commit(batch: ChangeBatch): Promise<CommitResult>
  backup(path: string): Promise<void>
  close(): Promise<void>
}
