// Whether a store agrees with itself: every row where its lists say, every list entry with its row, every total right.
// It only reads, and nobody may write meanwhile; it knows no engine.

import { decodeRow } from '../../codec.js'
import { limits } from '../../limits.js'
import {
  type AnyTable,
  type ByteReader,
  chunksOfKeys,
  indexDatabase,
  metaDatabase,
  type Tables,
  tableDatabase,
  totalsDatabase,
} from './byte-store.js'
import { placesOf, totalKey } from './index-entries.js'
import { encodeKey, prefixRange } from './key-bytes.js'

export interface StoreCheck {
  readonly rows: number
  /** What is wrong, at most `limits.storeFaults`; empty for a store that is right. */
  readonly faults: readonly string[]
}

const everything = prefixRange([])

function* keysOf(reader: ByteReader, database: string, within = everything): Generator<Uint8Array> {
  for (const keys of chunksOfKeys(reader, database, within)) yield* keys
}

export function checkStore(reader: ByteReader, tables: Tables): StoreCheck {
  const faults: string[] = []
  const fault = (text: string): void => {
    if (faults.length < limits.storeFaults) faults.push(text)
  }
  if (reader.get(metaDatabase, encodeKey(['schema_version'])) === undefined) fault('the store has no schema version')
  let rows = 0
  for (const table of tables) rows += checkTable(reader, table as unknown as AnyTable, fault)
  return { rows, faults }
}

function checkTable(reader: ByteReader, table: AnyTable, fault: (text: string) => void): number {
  const entries = new Map<string, number>()
  const totals = new Map<string, { readonly key: Uint8Array; weight: number }>()
  let rows = 0
  for (const key of keysOf(reader, tableDatabase(table.name))) {
    rows++
    const row = readRow(reader, table, key)
    if (row === undefined || !encodeKey(table.key(row)).equals(key)) {
      fault(`${table.name}: the row at ${shown(key)} ${row === undefined ? 'cannot be read' : 'has another key'}`)
      continue
    }
    for (const { database, key: entry, index, group, weight } of placesOf(table, row, key)) {
      entries.set(database, (entries.get(database) ?? 0) + 1)
      const held = reader.get(database, entry)
      if (held === undefined || Buffer.compare(held, key) !== 0)
        fault(`${table.name}: the row at ${shown(key)} is not in its list ${index}`)
      if (weight === undefined) continue
      const total = totalKey(table.name, index, group)
      const known = totals.get(total.toString('latin1'))
      if (known === undefined) totals.set(total.toString('latin1'), { key: total, weight })
      else known.weight += weight
    }
  }
  for (const index of Object.keys(table.indexes)) {
    const database = indexDatabase(table.name, index)
    const found = reader.count(database, everything)
    const expected = entries.get(database) ?? 0
    if (found !== expected)
      fault(`${table.name}: the list ${index} has ${found} entries for ${expected} places of rows`)
  }
  checkTotals(reader, table, totals, fault)
  return rows
}

function checkTotals(
  reader: ByteReader,
  table: AnyTable,
  expected: ReadonlyMap<string, { readonly weight: number }>,
  fault: (text: string) => void,
): void {
  let stored = 0
  for (const key of keysOf(reader, totalsDatabase, prefixRange([table.name]))) {
    stored++
    const total = decodeRow<number>(reader.get(totalsDatabase, key) as Uint8Array)
    const weight = expected.get(Buffer.from(key).toString('latin1'))?.weight ?? 0
    if (total !== weight) fault(`${table.name}: the total at ${shown(key)} is ${total}, its rows make ${weight}`)
  }
  let wanted = 0
  for (const { weight } of expected.values()) if (weight !== 0) wanted++
  if (stored !== wanted) fault(`${table.name}: ${stored} totals are stored, the rows make ${wanted}`)
}

function readRow(reader: ByteReader, table: AnyTable, key: Uint8Array): unknown {
  try {
    return decodeRow(reader.get(tableDatabase(table.name), key) as Uint8Array)
  } catch {
    return undefined
  }
}

function shown(key: Uint8Array): string {
  return Buffer.from(key)
    .toString('latin1')
    .replace(/[^ -~]+/g, ' ')
    .trim()
}
