// Which lists a row stands in, and what changes when it is replaced: pure functions, shared by every store.
// A group's total is kept beside the entries, as a sum of deltas over everything that is written together.

import { decodeRow, encodeRow } from '../codec.js'
import type { Key } from '../table.js'
import { type AnyTable, type ByteReader, type ByteTransaction, indexDatabase, totalsDatabase } from './byte-store.js'
import { encodeEntry, encodeKey } from './key-bytes.js'

interface Standing {
  readonly database: string
  readonly key: Buffer
  readonly totalKey: Buffer
  readonly weight: number
}

/** What the totals gain or lose, to be written once for a whole group of batches. */
export type TotalDeltas = Map<string, { readonly key: Buffer; delta: number }>

export function totalKey(table: string, index: string, group: Key): Buffer {
  return encodeKey([table, index, ...group])
}

// By database and key as text; a row that names one place twice stands there once, with the weight it named last.
function standings(table: AnyTable, row: unknown, primaryKey: Uint8Array): Map<string, Standing> {
  const found = new Map<string, Standing>()
  for (const [index, entriesOf] of Object.entries(table.indexes)) {
    const database = indexDatabase(table.name, index)
    for (const { group, order, weight = 1 } of entriesOf(row)) {
      if (!Number.isSafeInteger(weight)) throw new Error(`a weight in ${database} is not an integer: ${weight}`)
      const key = encodeEntry(group, order ?? [], primaryKey)
      found.set(`${database} ${key.toString('latin1')}`, {
        database,
        key,
        totalKey: totalKey(table.name, index, group),
        weight,
      })
    }
  }
  return found
}

const none: ReadonlyMap<string, Standing> = new Map()

function addDelta(deltas: TotalDeltas, { totalKey: key }: Standing, delta: number): void {
  if (delta === 0) return
  const name = key.toString('latin1')
  const known = deltas.get(name)
  if (known === undefined) deltas.set(name, { key, delta })
  else known.delta += delta
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
  const old = before === undefined ? none : standings(table, decodeRow(before), primaryKey)
  const next = after === undefined ? none : standings(table, decodeRow(after), primaryKey)
  for (const [place, standing] of old) {
    const stays = next.get(place)
    addDelta(deltas, standing, (stays?.weight ?? 0) - standing.weight)
    if (stays === undefined) transaction.remove(standing.database, standing.key)
  }
  for (const [place, standing] of next) {
    if (old.has(place)) continue
    addDelta(deltas, standing, standing.weight)
    transaction.put(standing.database, standing.key, primaryKey)
  }
}

export function readTotal(reader: ByteReader, key: Uint8Array): number {
  const bytes = reader.get(totalsDatabase, key)
  return bytes === undefined ? 0 : decodeRow<number>(bytes)
}

/** Adds the deltas to what the totals say; a total of nothing is not kept. */
export function writeTotals(transaction: ByteTransaction, deltas: TotalDeltas): void {
  for (const { key, delta } of deltas.values()) {
    if (delta === 0) continue
    const total = readTotal(transaction, key) + delta
    if (total === 0) transaction.remove(totalsDatabase, key)
    else transaction.put(totalsDatabase, key, encodeRow(total))
  }
}
