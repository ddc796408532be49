// What the tests of the Store contract work with: tables, rows, and a store for each test.

import { type Test, test } from 'tap'
import { encodeRow } from '../../src/runtime/codec.js'
import type { StoreOptions, StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import type { Change, CommitResult, Condition } from '../../src/runtime/store/store.js'
import { defineTable, type Key, type Table } from '../../src/runtime/store/table.js'

/** A place that survives closing: opening it again finds what was committed. */
export interface StorePlace {
  open(tables: readonly Table<never>[], options?: StoreOptions): StoreWriter
  remove(): void
}

export interface Session {
  readonly id: string
  readonly site: string
  readonly at: number
  readonly watts: number
  readonly tags: readonly string[]
  readonly version?: number
}

export const sessions = defineTable<Session>({
  name: 'sessions',
  key: (row) => [row.id],
  indexes: {
    bySite: (row) => [{ group: [row.site], order: [row.at], weight: row.watts }],
    byTag: (row) => row.tags.map((tag) => ({ group: [tag] })),
    byTime: (row) => [{ group: [], order: [row.at] }, { group: [row.site] }],
  },
  retention: { index: 'byTime', timeOf: (row) => row.at, milliseconds: 1_000 },
})

export interface Reading {
  readonly key: Key
  readonly value: string
}

export const readings = defineTable<Reading>({
  name: 'readings',
  key: (row) => row.key,
})

export interface Day {
  readonly day: number
  readonly notes: string
}

export const days = defineTable<Day>({
  name: 'days',
  key: (row) => [row.day],
  indexes: { byMonth: (row) => [{ group: [Math.floor(row.day / 30)] }] },
  listedByKey: true,
})

export const tables = [sessions, readings, days] as unknown as readonly Table<never>[]

export function session(id: string, fields: Partial<Session> = {}): Session {
  return { id, site: 'site-1', at: 0, watts: 1, tags: [], ...fields }
}

export function put<Row>(table: Table<Row>, row: Row): Change {
  return { type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }
}

export function remove(table: Table<never>, key: Key): Change {
  return { type: 'remove', table: table.name, key }
}

let sequence = 0

export const nextSequence = (): number => sequence++

export function commit(
  store: StoreWriter,
  changes: readonly Change[],
  conditions: readonly Condition[] = [],
): Promise<CommitResult> {
  return store.commit({ partition: 0, epoch: 1, sequence: nextSequence(), changes, conditions })
}

export const ids = (rows: readonly Session[]) => rows.map((row) => row.id).join(' ')
export const ok = { ok: true }
export const anySessions = sessions as unknown as Table<never>

/** Defines tests of one store each, which is closed and removed after them. */
export type StoreTest = (
  behaviour: string,
  run: (t: Test, store: StoreWriter, place: StorePlace) => Promise<void>,
) => void

export function storeTests(name: string, makePlace: () => StorePlace): StoreTest {
  return (behaviour, run) =>
    void test(`${name} - ${behaviour}`, async (t) => {
      const place = makePlace()
      const store = place.open(tables)
      t.teardown(async () => {
        await store.close()
        place.remove()
      })
      await run(t, store, place)
    })
}
