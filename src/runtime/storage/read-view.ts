// A ReadView over any engine's reader: rows by key, lists by index, totals and counts.

import { decodeRow } from '../codec.js'
import type { ListQuery, ReadView } from '../store.js'
import type { Key, Table } from '../table.js'
import { type ByteReader, indexDatabase, tableDatabase } from './byte-store.js'
import { readTotal, totalKey } from './index-entries.js'
import { encodeKey, groupRange, prefixRange } from './key-bytes.js'

function databaseOf<Row>(table: Table<Row>, index: string): string {
  if (!Object.hasOwn(table.indexes, index)) throw new Error(`the table ${table.name} has no index ${index}`)
  return indexDatabase(table.name, index)
}

export function readViewOf(reader: ByteReader): ReadView {
  return {
    get<Row>(table: Table<Row>, key: Key) {
      const bytes = reader.get(tableDatabase(table.name), encodeKey(key))
      return bytes === undefined ? undefined : decodeRow<Row>(bytes)
    },
    list<Row>(table: Table<Row>, prefix: Key, query?: ListQuery) {
      return reader.values(tableDatabase(table.name), prefixRange(prefix, query)).map((bytes) => decodeRow<Row>(bytes))
    },
    listBy<Row>(table: Table<Row>, index: string, group: Key, query?: ListQuery) {
      const rows: Row[] = []
      for (const key of reader.values(databaseOf(table, index), groupRange(group, query))) {
        const bytes = reader.get(tableDatabase(table.name), key)
        if (bytes !== undefined) rows.push(decodeRow<Row>(bytes))
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
