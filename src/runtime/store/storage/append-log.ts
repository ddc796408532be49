// Gives the rows of append-only tables their ids at the commit, and gathers the topics that their followers are told of.
// Ids of a group that is rolled back are lost: the next ones are greater.

import { assert } from '../../assert.js'
import type { Clock } from '../../clock.js'
import { decodeRow, encodeRow, withFirstId } from '../../codec.js'
import { createIdMaker } from '../../ids.js'
import type { Change } from '../store.js'
import { type AnyTable, type ByteReader, tableDatabase } from './byte-store.js'
import { prefixRange } from './key-bytes.js'

export interface AppendLogs {
  /** The change with its id, if its table is a log; its topic joins those of the group. */
  place(reader: ByteReader, table: AnyTable, change: Change): Placed
  /** Forgets the topics of a group that is begun again. */
  begin(): void
  /** What was added to since `begin`. */
  readonly topics: ReadonlySet<string>
}

export interface Placed {
  readonly change: Change
  /** The row that is put, where it had to be decoded. */
  readonly row?: unknown
}

interface Maker {
  readonly make: (prefix: string) => string
  /** Given out, or found in the store. */
  newest: string
}

export function createAppendLogs(clock: Clock, random: () => number): AppendLogs {
  const makers = new Map<string, Maker>()
  const topics = new Set<string>()

  /** Behind the newest id of the table, wherever the clock is. */
  function makerOf(reader: ByteReader, table: AnyTable): Maker {
    const known = makers.get(table.name)
    if (known !== undefined) return known
    const [newest] = reader.values(tableDatabase(table.name), prefixRange([], { reverse: true, limit: 1 }))
    const after = newest === undefined ? undefined : decodeRow<{ id: string }>(newest).id
    const maker: Maker = { make: createIdMaker(clock, random, after), newest: after ?? '' }
    makers.set(table.name, maker)
    return maker
  }

  function nextId(maker: Maker, prefix: string): string {
    const id = maker.make(prefix)
    // Whoever has read up to the newest would never see one before it.
    assert(id > maker.newest, 'a log grows at its end', id, maker.newest)
    maker.newest = id
    return id
  }

  return {
    place(reader, table, change) {
      if (table.log === undefined || change.type !== 'put') return { change }
      const row = decodeRow<{ id: string }>(change.row)
      if (table.log.topics !== undefined) topics.add(table.log.topics.of(row))
      if (row.id !== '') return { change, row }
      const placed = { ...row, id: nextId(makerOf(reader, table), table.log.idPrefix) }
      return {
        change: { ...change, key: table.key(placed), row: withFirstId(change.row, placed.id) ?? encodeRow(placed) },
        row: placed,
      }
    },
    begin: () => topics.clear(),
    topics,
  }
}
