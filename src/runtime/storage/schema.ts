// What happens to a store when it is opened for writing: its schema version, migrations, new indexes, the boot number.
// It knows no engine: each step runs in a write transaction of its own.

import { decodeRow, encodeRow } from '../codec.js'
import type { Change, ReadView } from '../store.js'
import type { Key, Table } from '../table.js'
import { applyChange } from './apply-batch.js'
import {
  type AnyTable,
  type ByteReader,
  type ByteTransaction,
  checkTables,
  chunksOfKeys,
  indexDatabase,
  metaDatabase,
  type Tables,
  tableDatabase,
  totalsDatabase,
} from './byte-store.js'
import { moveEntries, type TotalDeltas, writeTotals } from './index-entries.js'
import { encodeKey, prefixRange } from './key-bytes.js'
import { readViewOf } from './read-view.js'

/** What a migration may do. Everything in it happens, or nothing. */
export interface MigrationTransaction {
  readonly view: ReadView
  /**
   * Replaces every row of a table by what `change` makes of it (undefined removes it) and builds its indexes anew.
   * A row keeps its key: throws when it would change. Returns how many rows there were.
   */
  rewrite<Row>(table: Table<Row>, change: (row: unknown) => Row | undefined): number
  /** For a table whose indexes have not changed. */
  put<Row>(table: Table<Row>, row: Row): void
  remove<Row>(table: Table<Row>, key: Key): void
  /** For an index whose function has changed; a new index is built without being asked for. */
  rebuildIndexes<Row>(table: Table<Row>): void
}

/** Brings rows from the version before `to` to `to`. */
export interface Migration {
  readonly to: number
  migrate(transaction: MigrationTransaction): void
}

const schemaVersionKey = encodeKey(['schema_version'])
const bootNumberKey = encodeKey(['boot_number'])

function readMeta<Value>(transaction: ByteReader, key: Buffer): Value | undefined {
  const bytes = transaction.get(metaDatabase, key)
  return bytes === undefined ? undefined : decodeRow<Value>(bytes)
}

function clearIndexes(transaction: ByteTransaction, table: AnyTable): void {
  for (const index of Object.keys(table.indexes)) transaction.clear(indexDatabase(table.name, index))
  for (const key of transaction.keys(totalsDatabase, prefixRange([table.name]))) transaction.remove(totalsDatabase, key)
}

function rewriteRows(
  transaction: ByteTransaction,
  table: AnyTable,
  change: (bytes: Uint8Array, key: Uint8Array) => Uint8Array | undefined,
): number {
  const database = tableDatabase(table.name)
  clearIndexes(transaction, table)
  let rows = 0
  for (const keys of chunksOfKeys(transaction, database)) {
    const deltas: TotalDeltas = new Map()
    for (const key of keys) {
      rows++
      const before = transaction.get(database, key) as Uint8Array
      const after = change(before, key)
      moveEntries(transaction, table, key, undefined, after, deltas)
      if (after === undefined) transaction.remove(database, key)
      else if (after !== before) transaction.put(database, key, after)
    }
    writeTotals(transaction, deltas)
  }
  return rows
}

function rebuildIndexes(transaction: ByteTransaction, table: AnyTable): void {
  rewriteRows(transaction, table, (bytes) => bytes)
}

function migrationTransaction(transaction: ByteTransaction): MigrationTransaction {
  function applyOne<Row>(table: Table<Row>, change: Change): void {
    const deltas: TotalDeltas = new Map()
    applyChange(transaction, table as unknown as AnyTable, change, deltas)
    writeTotals(transaction, deltas)
  }
  return {
    view: readViewOf(transaction),
    rewrite<Row>(table: Table<Row>, change: (row: unknown) => Row | undefined) {
      return rewriteRows(transaction, table as unknown as AnyTable, (bytes, key) => {
        const row = change(decodeRow(bytes))
        if (row === undefined) return undefined
        if (!encodeKey(table.key(row)).equals(key)) throw new Error(`a row of ${table.name} would change its key`)
        return encodeRow(row)
      })
    },
    put<Row>(table: Table<Row>, row: Row) {
      applyOne(table, { type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) })
    },
    remove<Row>(table: Table<Row>, key: Key) {
      applyOne(table, { type: 'remove', table: table.name, key })
    },
    rebuildIndexes<Row>(table: Table<Row>) {
      rebuildIndexes(transaction, table as unknown as AnyTable)
    },
  }
}

// The names of a table's indexes are kept beside it, so that an index added later is filled with the rows that exist.
function buildNewIndexes(transaction: ByteTransaction, tables: Tables): void {
  for (const table of tables) {
    const key = encodeKey(['indexes', table.name])
    const names = Object.keys(table.indexes).sort().join(' ')
    const built = readMeta<string>(transaction, key)
    if (built === names) continue
    if (built !== undefined) rebuildIndexes(transaction, table as unknown as AnyTable)
    transaction.put(metaDatabase, key, encodeRow(names))
  }
}

/** One line for whoever starts the program. */
function newerSchema(where: string, stored: number, known: number): Error {
  return new Error(
    `the store at ${where} has schema version ${stored}, this program knows versions up to ${known}: ` +
      'start a newer ampshard or restore a backup',
  )
}

/**
 * Prepares a store for this program and returns its boot number.
 * Throws, with nothing changed, when the store is newer than the program, or when a migration is missing.
 */
export function prepareStore(
  where: string,
  inTransaction: <Result>(work: (transaction: ByteTransaction) => Result) => Result,
  tables: Tables,
  schemaVersion: number,
  migrations: readonly Migration[],
): number {
  checkTables(tables)
  const setVersion = (transaction: ByteTransaction, version: number) =>
    transaction.put(metaDatabase, schemaVersionKey, encodeRow(version))
  let version = inTransaction((transaction) => {
    const stored = readMeta<number>(transaction, schemaVersionKey)
    if (stored === undefined) setVersion(transaction, schemaVersion)
    return stored ?? schemaVersion
  })
  if (version > schemaVersion) throw newerSchema(where, version, schemaVersion)
  while (version < schemaVersion) {
    const to = version + 1
    const migration = migrations.find((candidate) => candidate.to === to)
    if (migration === undefined)
      throw new Error(`the store at ${where} has schema version ${version} and no migration leads to version ${to}`)
    inTransaction((transaction) => {
      migration.migrate(migrationTransaction(transaction))
      setVersion(transaction, to)
    })
    version = to
  }
  return inTransaction((transaction) => {
    buildNewIndexes(transaction, tables)
    const bootNumber = (readMeta<number>(transaction, bootNumberKey) ?? 0) + 1
    transaction.put(metaDatabase, bootNumberKey, encodeRow(bootNumber))
    return bootNumber
  })
}

/** The boot number on disk: another than one's own means that another process has opened the store for writing. */
export function storedBootNumber(transaction: ByteTransaction): number | undefined {
  return readMeta<number>(transaction, bootNumberKey)
}

/** The version of the rows' shapes; undefined for a store that was never opened by a program. */
export function storedSchemaVersion(reader: ByteReader): number | undefined {
  return readMeta<number>(reader, schemaVersionKey)
}
