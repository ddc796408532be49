// What an engine gives: named databases of sorted bytes, read and changed inside one transaction.
// Everything that a store means (rows, lists, totals, conditions) is written once, on top of these few calls.

import { limits } from '../../limits.js'
import type { Table } from '../table.js'
import { type ByteRange, prefixRange } from './key-bytes.js'

export interface ByteReader {
  /** The value; the caller may keep it. */
  get(database: string, key: Uint8Array): Uint8Array | undefined
  has(database: string, key: Uint8Array): boolean
  /** Values in key order, or against it; `offset` is skipped by the engine. */
  values(database: string, range: ByteRange): Uint8Array[]
  keys(database: string, range: ByteRange): Uint8Array[]
  /** How many keys lie between start and end; offset and limit do not count. */
  count(database: string, range: ByteRange): number
  /** The number of the snapshot that is read now: as long as it stays, so does everything. Only where one lasts for a turn. */
  snapshot?(): number
}

/** A write transaction; its reads see its own writes. */
export interface ByteTransaction extends ByteReader {
  put(database: string, key: Uint8Array, value: Uint8Array): void
  remove(database: string, key: Uint8Array): void
  clear(database: string): void
}

/** The keys of a range, a bounded number at a time; what is written behind the walk meanwhile does not hold it up. */
export function* chunksOfKeys(
  reader: ByteReader,
  database: string,
  within: ByteRange = prefixRange([]),
): Generator<Uint8Array[]> {
  let range: ByteRange = { ...within, limit: limits.migrationRows }
  for (;;) {
    const keys = reader.keys(database, range)
    const last = keys.at(-1)
    if (last === undefined) return
    yield keys
    // The lowest bytes above the last key: the walk goes on behind it.
    range = { ...range, start: Buffer.concat([last, Buffer.of(0)]) }
  }
}

/** The next keys behind one, or the first, a bounded number of them. */
export function keysBehind(reader: ByteReader, database: string, after: Uint8Array | undefined): Uint8Array[] {
  const everything = prefixRange([])
  const start = after === undefined ? everything.start : Buffer.concat([after, Buffer.of(0)])
  return reader.keys(database, { ...everything, start, limit: limits.migrationRows })
}

/** Tables of any row type, as a store is given them. */
export type Tables = readonly Table<never>[]

/** A table whose rows are whatever the disk holds. */
export type AnyTable = Table<unknown>

export const metaDatabase = 'meta'
export const totalsDatabase = 'totals'

const tableNames = new Map<string, string>()
const indexNames = new Map<string, Map<string, string>>()

/** Each name is made once: they are asked for with every read, and a map finds a text fastest that it has seen before. */
export function tableDatabase(table: string): string {
  const known = tableNames.get(table) ?? `table:${table}`
  tableNames.set(table, known)
  return known
}

export function indexDatabase(table: string, index: string): string {
  const ofTable = indexNames.get(table) ?? new Map<string, string>()
  const known = ofTable.get(index) ?? `index:${table}:${index}`
  ofTable.set(index, known)
  indexNames.set(table, ofTable)
  return known
}

/** Undefined for a database that is no list. */
export function indexOfDatabase(database: string): { readonly table: string; readonly index: string } | undefined {
  const [kind, table, index] = database.split(':')
  return kind === 'index' && table !== undefined && index !== undefined ? { table, index } : undefined
}

/** Every database that a set of tables needs. */
export function databaseNames(tables: Tables): string[] {
  const names = [metaDatabase, totalsDatabase]
  for (const table of tables) {
    names.push(tableDatabase(table.name))
    for (const index of Object.keys(table.indexes)) names.push(indexDatabase(table.name, index))
  }
  return names
}

/** Throws when two tables have one name, or when a table's retention names no index of it. */
export function checkTables(tables: Tables): void {
  const names = new Set<string>()
  for (const { name, indexes, retention } of tables) {
    if (names.has(name)) throw new Error(`two tables of the store have one name: ${name}`)
    names.add(name)
    if (retention?.index !== undefined && !Object.hasOwn(indexes, retention.index))
      throw new Error(`the retention of the table ${name} names no index of it: ${retention.index}`)
  }
}

/** Finds a table by the name that a change carries; throws when no such table was opened. */
export function tableFinder(tables: Tables): (name: string) => AnyTable {
  const byName = new Map(tables.map((table) => [table.name, table as unknown as AnyTable]))
  return (name) => {
    const table = byName.get(name)
    if (table === undefined) throw new Error(`the store has no table ${name}`)
    return table
  }
}
