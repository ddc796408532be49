// Which lists a store has of each table: those that a table declares and the store lacks are made from the rows that exist, those
// that no table declares are dropped. A bounded number of rows in each transaction; a start that was cut short goes on from there.

import { encodeRow } from '../../codec.js'
import { limits } from '../../limits.js'
import {
  type AnyTable,
  type ByteReader,
  type ByteTransaction,
  databaseNames,
  indexDatabase,
  indexOfDatabase,
  keysBehind,
  metaDatabase,
  type Tables,
  tableDatabase,
  totalsDatabase,
} from './byte-store.js'
import { moveEntries, type TotalDeltas, writeTotals } from './index-entries.js'
import { encodeKey, prefixRange } from './key-bytes.js'
import { type InTransaction, type MigrationPart, readMeta } from './meta.js'

/** Names of lists, and whether totals are kept of each. */
type Counted = Readonly<Record<string, boolean>>

interface Making {
  readonly lists: readonly string[]
  /** Steps to a later version may have written to this table meanwhile. */
  readonly schemaVersion: number
  readonly after?: Uint8Array
  readonly rows: number
}

/** What is kept of each table. */
interface StoredLists {
  /** Every row is in them. */
  readonly made: Counted
  readonly making?: Making
}

const keyOf = (table: string): Buffer => encodeKey(['indexes', table])

/** Older programs kept the names of the lists as one text, all of them counted; and an object while they made them. */
function storedLists(reader: ByteReader, table: string): StoredLists | undefined {
  const stored = readMeta<string | Partial<StoredLists>>(reader, keyOf(table))
  if (stored === undefined) return undefined
  if (typeof stored !== 'string') return { made: {}, ...stored }
  const names = stored.split(' ').filter((name) => name !== '')
  return { made: Object.fromEntries(names.map((name) => [name, true])) }
}

function store(transaction: ByteTransaction, table: string, lists: StoredLists): StoredLists {
  transaction.put(metaDatabase, keyOf(table), encodeRow(lists))
  return lists
}

function declaredBy(table: AnyTable): Counted {
  return Object.fromEntries(Object.keys(table.indexes).map((name) => [name, table.uncounted?.includes(name) !== true]))
}

function without(made: Counted, lists: readonly string[]): Counted {
  return Object.fromEntries(Object.entries(made).filter(([name]) => !lists.includes(name)))
}

/** Every row of the table is in every list that it declares. */
export function noteListsMade(transaction: ByteTransaction, table: AnyTable): void {
  store(transaction, table.name, { made: declaredBy(table) })
}

function removeTotals(inTransaction: InTransaction, table: string, list: string): void {
  const range = { ...prefixRange([table, list]), limit: limits.migrationRows }
  const removeNext = (transaction: ByteTransaction): number => {
    const keys = transaction.keys(totalsDatabase, range)
    for (const key of keys) transaction.remove(totalsDatabase, key)
    return keys.length
  }
  while (inTransaction(removeNext) === limits.migrationRows);
}

/** The databases that an engine has; each is dropped in a transaction of its own. */
export interface StoredDatabases {
  names(): readonly string[]
  drop(database: string): void
}

/** Rows of a table that nobody declares stay: they are data. */
export function dropOldLists(inTransaction: InTransaction, databases: StoredDatabases, tables: Tables): void {
  const declared = new Set(databaseNames(tables))
  for (const database of databases.names()) {
    const old = declared.has(database) ? undefined : indexOfDatabase(database)
    if (old === undefined) continue
    // An older program that opens the store after all makes it anew.
    inTransaction((transaction) => {
      const lists = storedLists(transaction, old.table)
      if (lists !== undefined) store(transaction, old.table, { ...lists, made: without(lists.made, [old.index]) })
    })
    removeTotals(inTransaction, old.table, old.index)
    // The last: until it is gone, the next start begins here again.
    databases.drop(database)
  }
}

export interface NewLists {
  readonly inTransaction: InTransaction
  readonly tables: Tables
  readonly schemaVersion: number
  readonly onPart?: ((part: MigrationPart) => void) | undefined
}

/** Lists whose names or totals are new. One whose function has changed is made anew by a step of its table. */
export function makeNewLists(making: NewLists): void {
  const { inTransaction, tables } = making
  const found = inTransaction((transaction) =>
    (tables as unknown as readonly AnyTable[]).map((table) => ({
      table,
      // A table that this store has never had has no rows.
      stored: storedLists(transaction, table.name) ?? store(transaction, table.name, { made: declaredBy(table) }),
    })),
  )
  for (const { table, stored } of found) {
    const declared = declaredBy(table)
    const names = Object.keys(declared)
    const countedNoMore = names.filter((name) => declared[name] === false && stored.made[name] === true)
    for (const name of countedNoMore) removeTotals(inTransaction, table.name, name)
    const missing = names.filter((name) => stored.made[name] === undefined || (declared[name] && !stored.made[name]))
    if (missing.length > 0) makeLists(making, table, missing, stored)
    else if (countedNoMore.length > 0) inTransaction((transaction) => noteListsMade(transaction, table))
  }
}

function makeLists(
  { inTransaction, schemaVersion, onPart }: NewLists,
  table: AnyTable,
  lists: readonly string[],
  stored: StoredLists,
): void {
  const made = without(stored.made, lists)
  const goesOn = stored.making?.schemaVersion === schemaVersion && stored.making.lists.join() === lists.join()
  let making: Making = goesOn ? (stored.making as Making) : { lists, schemaVersion, rows: 0 }
  if (!goesOn) {
    for (const list of lists) removeTotals(inTransaction, table.name, list)
    inTransaction((transaction) => {
      for (const list of lists) transaction.clear(indexDatabase(table.name, list))
      store(transaction, table.name, { made, making })
    })
  }
  const indexes = Object.entries(table.indexes).filter(([name]) => lists.includes(name))
  const narrowed: AnyTable = { ...table, indexes: Object.fromEntries(indexes) }
  for (let done = false; !done; ) {
    inTransaction((transaction) => {
      const keys = listRowsBehind(transaction, narrowed, making.after)
      const after = keys.at(-1)
      making = { ...making, rows: making.rows + keys.length, ...(after !== undefined && { after }) }
      done = keys.length < limits.migrationRows
      if (done) noteListsMade(transaction, table)
      else store(transaction, table.name, { made, making })
    })
    onPart?.({ to: schemaVersion, table: table.name, lists, rows: making.rows, done })
  }
}

/** Puts the next rows into lists in which they do not stand yet, and returns their keys. */
function listRowsBehind(transaction: ByteTransaction, table: AnyTable, after: Uint8Array | undefined): Uint8Array[] {
  const database = tableDatabase(table.name)
  const keys = keysBehind(transaction, database, after)
  const deltas: TotalDeltas = new Map()
  for (const key of keys) moveEntries(transaction, table, key, undefined, transaction.get(database, key), deltas)
  writeTotals(transaction, deltas)
  return keys
}
