// A ReadView over any engine's reader: rows by key, lists by index, totals and counts. Where a snapshot lasts for a turn, a row that is
// asked for again in the turn is read once: what an organization or a charge point is, is asked with every message of it.

import { decodeRow } from '../../codec.js'
import { limits } from '../../limits.js'
import type { ListQuery, ReadView } from '../store.js'
import type { Key, KeyPart, Table } from '../table.js'
import { type ByteReader, indexDatabase, tableDatabase } from './byte-store.js'
import { readTotal, totalKey } from './index-entries.js'
import { encodeKey, groupRange, prefixRange } from './key-bytes.js'

function databaseOf<Row>(table: Table<Row>, index: string): string {
  if (!Object.hasOwn(table.indexes, index)) throw new Error(`the table ${table.name} has no index ${index}`)
  return indexDatabase(table.name, index)
}

/** The rows of one snapshot, by table and by the one part of their key. */
interface Known {
  readonly snapshot: number
  readonly rows: Map<string, Map<KeyPart, unknown>>
  count: number
}

/** Bytes of a row as the row. */
export type DecodeRow = <Row>(bytes: Uint8Array) => Row

export function readViewOf(reader: ByteReader, decode: DecodeRow = decodeRow): ReadView {
  let known: Known = { snapshot: 0, rows: new Map(), count: 0 }

  function readRow<Row>(table: Table<Row>, key: Key): Row | undefined {
    const bytes = reader.get(tableDatabase(table.name), encodeKey(key))
    return bytes === undefined ? undefined : decode<Row>(bytes)
  }

  function knownRows(table: string, snapshot: number): Map<KeyPart, unknown> {
    if (known.snapshot !== snapshot || known.count >= limits.rowsOfSnapshot)
      known = { snapshot, rows: new Map(), count: 0 }
    const rows = known.rows.get(table) ?? new Map<KeyPart, unknown>()
    if (rows.size === 0) known.rows.set(table, rows)
    return rows
  }

  return {
    get<Row>(table: Table<Row>, key: Key) {
      const [part] = key
      const snapshot = reader.snapshot?.()
      if (snapshot === undefined || part === undefined || key.length > 1) return readRow(table, key)
      const rows = knownRows(table.name, snapshot)
      if (rows.has(part)) return rows.get(part) as Row | undefined
      const row = readRow(table, key)
      rows.set(part, row)
      known.count++
      return row
    },
    list<Row>(table: Table<Row>, prefix: Key, query?: ListQuery) {
      return reader.values(tableDatabase(table.name), prefixRange(prefix, query)).map((bytes) => decode<Row>(bytes))
    },
    listBy<Row>(table: Table<Row>, index: string, group: Key, query?: ListQuery) {
      const rows: Row[] = []
      for (const key of reader.values(databaseOf(table, index), groupRange(group, query))) {
        const bytes = reader.get(tableDatabase(table.name), key)
        if (bytes !== undefined) rows.push(decode<Row>(bytes))
      }
      return rows
    },
    total<Row>(table: Table<Row>, index: string, group: Key) {
      databaseOf(table, index)
      if (table.uncounted?.includes(index) === true) throw new Error(`no totals are kept of ${table.name}.${index}`)
      return readTotal(reader, totalKey(table.name, index, group))
    },
    countBetween<Row>(table: Table<Row>, index: string, group: Key, query: ListQuery) {
      return reader.count(databaseOf(table, index), groupRange(group, query))
    },
  }
}
