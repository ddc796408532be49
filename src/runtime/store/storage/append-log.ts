// Gives the rows of append-only tables their ids where they are applied, and gathers the topics that their followers are told of.
// An id is the time of its record, a number within that time, and a part that follows from the row: no clock and no chance
// take part, so that every store which applies the same records has the same ids.

import { assert } from '../../assert.js'
import { decodeRow, encodeRow, withFirstId } from '../../codec.js'
import { type IdPlace, idAt, placeAfter, placeOfId } from '../../ids.js'
import type { Change } from '../store.js'
import { type AnyTable, type ByteReader, type ByteTransaction, metaDatabase, tableDatabase } from './byte-store.js'
import { encodeKey, prefixRange } from './key-bytes.js'
import { readMeta } from './meta.js'

/** By table: the newest id that was given. */
export type NewestIds = ReadonlyMap<string, NewestId>

interface NewestId {
  readonly id: string
  readonly place: IdPlace
}

export interface AppendLogs {
  /** The change with its id, if its table is a log; its topic joins those of the record. */
  place(table: AnyTable, change: Change): Placed
  /** Rows of the table are removed, the newest perhaps: what its id was is written down. */
  removing(table: AnyTable): void
  write(transaction: ByteTransaction): NewestIds
  /** What was added to. */
  readonly topics: ReadonlySet<string>
}

export interface Placed {
  readonly change: Change
  /** The row that is put, where it had to be decoded. */
  readonly row?: unknown
}

const keyOf = (table: string): Buffer => encodeKey(['newest_id', table])

/** Of a table that has rows, the last one tells; of one whose rows were all pruned, what was written down then. */
export function storedNewestIds(reader: ByteReader, tables: readonly AnyTable[]): NewestIds {
  const found = new Map<string, NewestId>()
  for (const { name, log } of tables) {
    if (log === undefined) continue
    const [row] = reader.values(tableDatabase(name), prefixRange([], { reverse: true, limit: 1 }))
    const id = row === undefined ? readMeta<string>(reader, keyOf(name)) : decodeRow<{ readonly id: string }>(row).id
    if (id !== undefined) found.set(name, { id, place: placeOfId(id) })
  }
  return found
}

/** `at`: the record's time, ms. It counts only as far as it is behind no id that was given before. */
export function appendLogsAfter(stored: NewestIds, at: number): AppendLogs {
  let given: Map<string, NewestId> | undefined
  const removedFrom = new Set<string>()
  const topics = new Set<string>()

  const newestOf = (table: string): NewestId | undefined => (given ?? stored).get(table)

  function note(table: string, id: string, place: IdPlace): void {
    given ??= new Map(stored)
    given.set(table, { id, place })
  }

  function nextId({ name }: AnyTable, prefix: string, row: Uint8Array): string {
    const before = newestOf(name)
    const place = placeAfter(before?.place, at)
    const id = idAt(prefix, place, row)
    // Whoever has read up to the newest would never see one before it.
    assert(before === undefined || id > before.id, 'a log grows at its end', id, before?.id)
    note(name, id, place)
    return id
  }

  return {
    place(table, change) {
      if (table.log === undefined || change.type !== 'put') return { change }
      const row = decodeRow<{ id: string }>(change.row)
      if (table.log.topics !== undefined) topics.add(table.log.topics.of(row))
      if (row.id !== '') {
        if (row.id > (newestOf(table.name)?.id ?? '')) note(table.name, row.id, placeOfId(row.id))
        return { change, row }
      }
      const placed = { ...row, id: nextId(table, table.log.idPrefix, change.row) }
      return {
        change: { ...change, key: table.key(placed), row: withFirstId(change.row, placed.id) ?? encodeRow(placed) },
        row: placed,
      }
    },
    removing({ name, log }) {
      if (log !== undefined) removedFrom.add(name)
    },
    write(transaction) {
      for (const table of removedFrom) {
        const newest = newestOf(table)
        if (newest !== undefined) transaction.put(metaDatabase, keyOf(table), encodeRow(newest.id))
      }
      return given ?? stored
    },
    topics,
  }
}
