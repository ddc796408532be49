// Which lists a row stands in, and what changes when it is replaced: pure functions, shared by every store.
// A group's total is kept beside the entries, as a sum of deltas over everything that is written together.

import { assert } from '../assert.js'
import { decodeRow, encodeRow } from '../codec.js'
import type { IndexEntry, Key } from '../table.js'
import { type AnyTable, type ByteReader, type ByteTransaction, indexDatabase, totalsDatabase } from './byte-store.js'
import { encodeEntry, encodeKey } from './key-bytes.js'

/** One place of a row in one list. */
export interface Standing {
  readonly database: string
  readonly key: Buffer
  readonly table: string
  readonly index: string
  readonly group: Key
  /** Undefined where no total is kept. */
  readonly weight: number | undefined
  /** Its entries have no weights of their own: the total is how many there are. */
  readonly counts: boolean
}

/** What the totals gain or lose, to be written once for a whole group of batches. */
export type TotalDeltas = Map<string, { readonly key: Buffer; delta: number; counts: boolean }>

export function totalKey(table: string, index: string, group: Key): Buffer {
  return encodeKey([table, index, ...group])
}

type Entries = readonly IndexEntry[]

function entriesOf(table: AnyTable, index: string, row: unknown): Entries {
  return (table.indexes[index] as (row: unknown) => Entries)(row)
}

function sameKey(one: Key, other: Key): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at])
}

/** Most changes of a row leave it where it stands in most of its lists; comparing costs less than encoding. */
function sameEntries(some: Entries, others: Entries): boolean {
  return (
    some.length === others.length &&
    some.every((one, at) => {
      const other = others[at] as IndexEntry
      return (
        sameKey(one.group, other.group) &&
        sameKey(one.order ?? noOrder, other.order ?? noOrder) &&
        (one.weight ?? 1) === (other.weight ?? 1)
      )
    })
  )
}

/** Where a row stands in an index; one that names a place twice stands there once, with the weight it named last. */
function standings(table: AnyTable, index: string, entries: Entries, primaryKey: Uint8Array): Standing[] {
  const found: Standing[] = []
  const database = indexDatabase(table.name, index)
  const counted = table.uncounted?.includes(index) !== true
  for (const { group, order, weight: given } of entries) {
    const weight = given ?? 1
    if (!Number.isSafeInteger(weight)) throw new Error(`a weight in ${database} is not an integer: ${weight}`)
    const key = encodeEntry(group, order ?? noOrder, primaryKey)
    const counts = given === undefined
    const standing = { database, key, table: table.name, index, group, weight: counted ? weight : undefined, counts }
    const same = placeOf(found, standing)
    if (same === -1) found.push(standing)
    else found[same] = standing
  }
  return found
}

/** Every place of a row. */
export function placesOf(table: AnyTable, row: unknown, primaryKey: Uint8Array): Standing[] {
  return Object.keys(table.indexes).flatMap((index) =>
    standings(table, index, entriesOf(table, index, row), primaryKey),
  )
}

const none: Entries = []
const noOrder: Key = []

/** Where in the list the place of `sought` is; rows stand in a handful of places. */
function placeOf(list: readonly Standing[], sought: Standing): number {
  return list.findIndex(({ key }) => key.equals(sought.key))
}

function deltaName(table: string, index: string, group: Key): string {
  return JSON.stringify([table, index, group])
}

function addDelta(deltas: TotalDeltas, { table, index, group, counts }: Standing, delta: number): void {
  if (delta === 0) return
  const name = deltaName(table, index, group)
  const known = deltas.get(name)
  if (known === undefined) deltas.set(name, { key: totalKey(table, index, group), delta, counts })
  else {
    known.delta += delta
    known.counts &&= counts
  }
}

/** Moves a row's index entries from where `before` stood to where `after` stands; undefined is no row. */
export function moveEntries(
  transaction: ByteTransaction,
  table: AnyTable,
  primaryKey: Uint8Array,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  deltas: TotalDeltas,
): void {
  // Rows of a table without lists, meter values above all, need not be read.
  if (Object.keys(table.indexes).length === 0) return
  const rowBefore: unknown = before === undefined ? undefined : decodeRow(before)
  const rowAfter: unknown = after === undefined ? undefined : decodeRow(after)
  for (const index in table.indexes) {
    const entriesBefore = rowBefore === undefined ? none : entriesOf(table, index, rowBefore)
    const entriesAfter = rowAfter === undefined ? none : entriesOf(table, index, rowAfter)
    if (sameEntries(entriesBefore, entriesAfter)) continue
    const old = standings(table, index, entriesBefore, primaryKey)
    const next = standings(table, index, entriesAfter, primaryKey)
    for (const standing of old) {
      const stays = next[placeOf(next, standing)]
      addDelta(deltas, standing, (stays?.weight ?? 0) - (standing.weight ?? 0))
      if (stays === undefined) transaction.remove(standing.database, standing.key)
    }
    for (const standing of next) {
      if (placeOf(old, standing) !== -1) continue
      addDelta(deltas, standing, standing.weight ?? 0)
      transaction.put(standing.database, standing.key, primaryKey)
    }
  }
}

export function readTotal(reader: ByteReader, key: Uint8Array): number {
  const bytes = reader.get(totalsDatabase, key)
  return bytes === undefined ? 0 : decodeRow<number>(bytes)
}

/** The total, with what waits to be added to it. */
export function totalSoFar(reader: ByteReader, deltas: TotalDeltas, table: string, index: string, group: Key): number {
  const delta = deltas.get(deltaName(table, index, group))?.delta ?? 0
  return readTotal(reader, totalKey(table, index, group)) + delta
}

/** Adds the deltas to what the totals say; a total of nothing is not kept. */
export function writeTotals(transaction: ByteTransaction, deltas: TotalDeltas): void {
  for (const { key, delta, counts } of deltas.values()) {
    if (delta === 0) continue
    const total = readTotal(transaction, key) + delta
    assert(!counts || total >= 0, 'a list has at least as many rows as leave it', key, total)
    if (total === 0) transaction.remove(totalsDatabase, key)
    else transaction.put(totalsDatabase, key, encodeRow(total))
  }
}
