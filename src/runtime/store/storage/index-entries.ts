// Which lists a row stands in, and what changes when it is replaced: pure functions, shared by every store.
// A group's total is kept beside the entries, as a sum of deltas over everything that is written together.

import { assert } from '../../assert.js'
import { decodeRow, encodeRow } from '../../codec.js'
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

/** What the totals gain or lose, to be written once for a whole group of batches; by the index's database, and by the group. */
export type TotalDeltas = Map<string, Map<string, { readonly key: Buffer; delta: number; counts: boolean }>>

export function totalKey(table: string, index: string, group: Key): Buffer {
  return encodeKey([table, index, ...group])
}

type Entries = readonly IndexEntry[]

/** What is asked of an index with every row. */
interface Index {
  readonly table: string
  readonly name: string
  readonly database: string
  readonly isCounted: boolean
  readonly entriesOf: (row: unknown) => Entries
}

const indexes = new WeakMap<AnyTable, readonly Index[]>()

function indexesOf(table: AnyTable): readonly Index[] {
  const known = indexes.get(table)
  if (known !== undefined) return known
  const made = Object.entries(table.indexes).map(([name, entriesOf]) => ({
    table: table.name,
    name,
    database: indexDatabase(table.name, name),
    isCounted: table.uncounted?.includes(name) !== true,
    entriesOf,
  }))
  indexes.set(table, made)
  return made
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

/** By the bytes of their keys: a row may stand in very many places of one index. */
type Places = ReadonlyMap<string, Standing>

/** Where a row stands in an index; one that names a place twice stands there once, with the weight it named last. */
function standings(
  { table, name: index, database, isCounted }: Index,
  entries: Entries,
  primaryKey: Uint8Array,
): Places {
  const found = new Map<string, Standing>()
  for (const { group, order, weight: given } of entries) {
    const weight = given ?? 1
    if (!Number.isSafeInteger(weight)) throw new Error(`a weight in ${database} is not an integer: ${weight}`)
    const key = encodeEntry(group, order ?? noOrder, primaryKey)
    const counts = given === undefined
    const standing = { database, key, table, index, group, weight: isCounted ? weight : undefined, counts }
    found.set(key.toString('latin1'), standing)
  }
  return found
}

/** Every place of a row. */
export function placesOf(table: AnyTable, row: unknown, primaryKey: Uint8Array): Standing[] {
  return indexesOf(table).flatMap((index) => [...standings(index, index.entriesOf(row), primaryKey).values()])
}

const none: Entries = []
const noOrder: Key = []

function addDelta(deltas: TotalDeltas, { database, table, index, group, counts }: Standing, delta: number): void {
  if (delta === 0) return
  let ofIndex = deltas.get(database)
  if (ofIndex === undefined) {
    ofIndex = new Map()
    deltas.set(database, ofIndex)
  }
  const name = JSON.stringify(group)
  const known = ofIndex.get(name)
  if (known === undefined) ofIndex.set(name, { key: totalKey(table, index, group), delta, counts })
  else {
    known.delta += delta
    known.counts &&= counts
  }
}

/**
 * Moves a row's index entries from where `before` stood to where `after` stands; undefined is no row. `decoded`: the row of `after`, where
 * the caller has it.
 */
export function moveEntries(
  transaction: ByteTransaction,
  table: AnyTable,
  primaryKey: Uint8Array,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  deltas: TotalDeltas,
  decoded?: unknown,
): void {
  // Rows of a table without lists, meter values above all, need not be read.
  const all = indexesOf(table)
  if (all.length === 0) return
  const rowBefore: unknown = before === undefined ? undefined : decodeRow(before)
  const rowAfter: unknown = after === undefined ? undefined : (decoded ?? decodeRow(after))
  for (const index of all) {
    const entriesBefore = rowBefore === undefined ? none : index.entriesOf(rowBefore)
    const entriesAfter = rowAfter === undefined ? none : index.entriesOf(rowAfter)
    if (sameEntries(entriesBefore, entriesAfter)) continue
    const old = standings(index, entriesBefore, primaryKey)
    const next = standings(index, entriesAfter, primaryKey)
    for (const [place, standing] of old) {
      const stays = next.get(place)
      addDelta(deltas, standing, (stays?.weight ?? 0) - (standing.weight ?? 0))
      if (stays === undefined) transaction.remove(standing.database, standing.key)
    }
    for (const [place, standing] of next) {
      if (old.has(place)) continue
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
  const delta = deltas.get(indexDatabase(table, index))?.get(JSON.stringify(group))?.delta ?? 0
  return readTotal(reader, totalKey(table, index, group)) + delta
}

/** Adds the deltas to what the totals say; a total of nothing is not kept. */
export function writeTotals(transaction: ByteTransaction, deltas: TotalDeltas): void {
  for (const ofIndex of deltas.values()) {
    for (const { key, delta, counts } of ofIndex.values()) {
      if (delta === 0) continue
      const total = readTotal(transaction, key) + delta
      assert(!counts || total >= 0, 'a list has at least as many rows as leave it', key, total)
      if (total === 0) transaction.remove(totalsDatabase, key)
      else transaction.put(totalsDatabase, key, encodeRow(total))
    }
  }
}
