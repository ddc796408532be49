// What happens to a store when it is opened for writing: its schema version, migrations, new lists, the boot number.
// It knows no engine, and no transaction of it grows with the store.

import { encodeRow } from '../../codec.js'
import { type ByteReader, type ByteTransaction, checkTables, metaDatabase, type Tables } from './byte-store.js'
import { encodeKey } from './key-bytes.js'
import { dropOldLists, makeNewLists, type StoredDatabases } from './lists.js'
import { type InTransaction, type MigrationPart, readMeta } from './meta.js'
import { type Migration, runMigration, unfinishedMigration } from './migrate.js'

const schemaVersionKey = encodeKey(['schema_version'])
const bootNumberKey = encodeKey(['boot_number'])

export interface Preparing {
  readonly where: string
  readonly inTransaction: InTransaction
  readonly databases: StoredDatabases
  readonly tables: Tables
  readonly schemaVersion: number
  readonly migrations: readonly Migration[]
  readonly onMigrationPart?: ((part: MigrationPart) => void) | undefined
}

/** One line for whoever starts the program. */
function newerSchema(where: string, stored: number, known: number): Error {
  return new Error(
    `the store at ${where} has schema version ${stored}, this program knows versions up to ${known}: ` +
      'start a newer ampshard or restore a backup',
  )
}

function migrationTo(to: number, { where, migrations }: Preparing): Migration {
  const migration = migrations.find((candidate) => candidate.to === to)
  if (migration === undefined)
    throw new Error(`the store at ${where} has schema version ${to - 1} and no migration leads to version ${to}`)
  return migration
}

/**
 * Prepares a store for this program and returns its boot number.
 * Throws, with nothing changed, when the store is newer than the program, or when a migration is missing.
 */
export function prepareStore(preparing: Preparing): number {
  const { where, inTransaction, databases, tables, schemaVersion, onMigrationPart: onPart } = preparing
  checkTables(tables)
  const setVersion = (transaction: ByteTransaction, version: number) =>
    transaction.put(metaDatabase, schemaVersionKey, encodeRow(version))
  const { stored, unfinished } = inTransaction((transaction) => {
    const version = storedSchemaVersion(transaction)
    if (version === undefined) setVersion(transaction, schemaVersion)
    return { stored: version ?? schemaVersion, unfinished: unfinishedMigration(transaction) }
  })
  if (stored > schemaVersion) throw newerSchema(where, stored, schemaVersion)
  // Its rows are of both versions.
  const first = unfinished ?? stored + 1
  const coming = Array.from({ length: schemaVersion - first + 1 }, (_, at) => migrationTo(first + at, preparing))
  // First, so that what follows takes their room.
  dropOldLists(inTransaction, databases, tables)
  for (const migration of coming)
    runMigration({
      inTransaction,
      migration,
      begin: (transaction) => setVersion(transaction, migration.to),
      onPart,
    })
  makeNewLists({ inTransaction, tables, schemaVersion, onPart })
  return inTransaction((transaction) => {
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
