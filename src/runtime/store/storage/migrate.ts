// Brings the rows of an older store to the shapes of this program: table by table, a bounded number of rows in each transaction.
// How far it has come is in the store, so a start that was cut short goes on from there.

import { decodeRow, encodeRow } from '../../codec.js'
import { limits } from '../../limits.js'
import type { Change, ReadView } from '../store.js'
import type { Key, Table } from '../table.js'
import { applyChange } from './apply-batch.js'
import {
  type AnyTable,
  type ByteReader,
  type ByteTransaction,
  chunksOfKeys,
  indexDatabase,
  keysBehind,
  metaDatabase,
  tableDatabase,
  totalsDatabase,
} from './byte-store.js'
import { moveEntries, type TotalDeltas, writeTotals } from './index-entries.js'
import { encodeKey, prefixRange } from './key-bytes.js'
import { noteListsMade } from './lists.js'
import { type InTransaction, type MigrationPart, readMeta } from './meta.js'
import { readViewOf } from './read-view.js'

/** What the change of one row may do beside it, in the same transaction. Other tables only. */
export interface Beside {
  readonly view: ReadView
  put<Row>(table: Table<Row>, row: Row): void
  remove<Row>(table: Table<Row>, key: Key): void
}

/** What becomes of a stored row: a row of this version under the same key; undefined removes it. */
export type RowChange<Row> = (stored: unknown, beside: Beside) => Row | undefined

/** What one version changes in one table. Its lists are made anew, so the functions of its indexes may have changed too. */
export interface MigrationStep {
  readonly table: AnyTable
  readonly change: RowChange<unknown>
}

/** Brings a store from the version before `to` to `to`, one step after the other; at most one step for each table. */
export interface Migration {
  readonly to: number
  readonly steps: readonly MigrationStep[]
}

export function defineMigrationStep<Row>(table: Table<Row>, change: RowChange<Row>): MigrationStep {
  return { table: table as unknown as AnyTable, change }
}

/** Kept in the store while it is on its way to a version. */
interface Progress {
  readonly to: number
  /** The table whose step is next, or under way. */
  readonly table: string
  readonly begun: boolean
  readonly after?: Uint8Array
  readonly rows: number
}

const progressKey = encodeKey(['migration'])

function clearLists(transaction: ByteTransaction, table: AnyTable): void {
  for (const index of Object.keys(table.indexes)) transaction.clear(indexDatabase(table.name, index))
  for (const keys of chunksOfKeys(transaction, totalsDatabase, prefixRange([table.name])))
    for (const key of keys) transaction.remove(totalsDatabase, key)
}

function besideOf(transaction: ByteTransaction, walked: AnyTable): Beside {
  function applyOne(table: AnyTable, change: Change): void {
    if (table.name === walked.name) throw new Error('a row may change others of its table only in their own turn')
    const deltas: TotalDeltas = new Map()
    applyChange(transaction, table, change, deltas)
    writeTotals(transaction, deltas)
  }
  return {
    view: readViewOf(transaction),
    put: (table, row) =>
      applyOne(table as unknown as AnyTable, {
        type: 'put',
        table: table.name,
        key: table.key(row),
        row: encodeRow(row),
      }),
    remove: (table, key) => applyOne(table as unknown as AnyTable, { type: 'remove', table: table.name, key }),
  }
}

interface Part {
  readonly rows: number
  /** The last key of this part; undefined when no row is left behind it. */
  readonly last: Uint8Array | undefined
}

/** Changes the next rows behind `after`, and puts them into their lists, which have been cleared. */
function changePart(
  transaction: ByteTransaction,
  table: AnyTable,
  after: Uint8Array | undefined,
  change: RowChange<unknown>,
): Part {
  const database = tableDatabase(table.name)
  const keys = keysBehind(transaction, database, after)
  const beside = besideOf(transaction, table)
  const deltas: TotalDeltas = new Map()
  for (const key of keys) {
    const before = transaction.get(database, key) as Uint8Array
    const changed = changedRow(table, key, before, change, beside)
    moveEntries(transaction, table, key, undefined, changed, deltas)
    if (changed === undefined) transaction.remove(database, key)
    else transaction.put(database, key, changed)
  }
  writeTotals(transaction, deltas)
  return { rows: keys.length, last: keys.length < limits.migrationRows ? undefined : keys.at(-1) }
}

function changedRow(
  table: AnyTable,
  key: Uint8Array,
  before: Uint8Array,
  change: RowChange<unknown>,
  beside: Beside,
): Uint8Array | undefined {
  const row = change(decodeRow(before), beside)
  if (row === undefined) return undefined
  if (!encodeKey(table.key(row)).equals(key)) throw new Error('a row would change its key')
  return encodeRow(row)
}

export interface MigrationRun {
  readonly inTransaction: InTransaction
  readonly migration: Migration
  /** In the transaction that makes the first change: from then on no older program may open the store. */
  readonly begin: (transaction: ByteTransaction) => void
  readonly onPart?: ((part: MigrationPart) => void) | undefined
}

/** The version to which a store was on its way when it was opened last. */
export function unfinishedMigration(reader: ByteReader): number | undefined {
  return readMeta<Progress>(reader, progressKey)?.to
}

/** Runs what is left of a migration. Throws with the store as it was after the last whole part. */
export function runMigration({ inTransaction, migration, begin, onPart }: MigrationRun): void {
  const { to, steps } = migration
  const names = steps.map(({ table }) => table.name)
  if (new Set(names).size < names.length) throw new Error(`version ${to} has two steps for one table`)
  if (steps.length === 0) inTransaction(begin)
  for (const [at, step] of steps.entries()) {
    for (let done = false; !done; ) {
      const part = inTransaction((transaction) => runPart(transaction, migration, at, begin))
      if (part === undefined) break
      onPart?.({ to, table: step.table.name, ...part })
      done = part.done
    }
  }
}

/** Undefined when an earlier start has done this step. */
function runPart(
  transaction: ByteTransaction,
  { to, steps }: Migration,
  at: number,
  begin: (transaction: ByteTransaction) => void,
): { readonly rows: number; readonly done: boolean } | undefined {
  const { table, change } = steps[at] as MigrationStep
  const progress = readMeta<Progress>(transaction, progressKey)
  const current = progress === undefined ? 0 : steps.findIndex(({ table: { name } }) => name === progress.table)
  if (current > at) return undefined
  if (current < at) throw new Error(`the step of the table ${progress?.table} is missing`)
  if (progress === undefined) begin(transaction)
  const under = progress?.begun === true ? progress : undefined
  if (under === undefined) clearLists(transaction, table)
  try {
    const { rows, last } = changePart(transaction, table, under?.after, change)
    const sum = (under?.rows ?? 0) + rows
    if (last === undefined) noteListsMade(transaction, table)
    const next = steps[at + 1]?.table.name
    const place: Progress | undefined =
      last !== undefined
        ? { to, table: table.name, begun: true, after: last, rows: sum }
        : next === undefined
          ? undefined
          : { to, table: next, begun: false, rows: 0 }
    if (place === undefined) transaction.remove(metaDatabase, progressKey)
    else transaction.put(metaDatabase, progressKey, encodeRow(place))
    return { rows: sum, done: last === undefined }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the table ${table.name} cannot be brought to schema version ${to}: ${reason}`, { cause: error })
  }
}
