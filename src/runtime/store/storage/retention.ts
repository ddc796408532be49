// Rows that have outlived their table's retention, removed a bounded number at a time.

import { assert } from '../../assert.js'
import { decodeRow, encodeRow } from '../../codec.js'
import { limits } from '../../limits.js'
import type { LogHorizon } from '../table.js'
import { applyChange, removeRow } from './apply-batch.js'
import type { ApplyState } from './apply-state.js'
import { type AnyTable, type ByteTransaction, indexDatabase, type Tables, tableDatabase } from './byte-store.js'
import type { TotalDeltas } from './index-entries.js'
import { encodeKey, groupRange, prefixRange } from './key-bytes.js'
import type { Entry } from './record.js'

const dayMs = 24 * 3_600_000

type Pruning = Extract<Entry, { readonly type: 'prune' }>

/** What is past its time at `now` (ms), by the days that the store keeps rows of some tables, and by what the tables say of others. */
export function pruningAt(now: number, tables: Tables, days: Readonly<Record<string, number>>): Pruning {
  const before = tables.flatMap(({ name, retention }) => {
    if (retention === undefined) return []
    const wanted = days[name]
    return [[name, now - (wanted === undefined ? retention.milliseconds : wanted * dayMs)] as const]
  })
  return { type: 'prune', before: Object.fromEntries(before), rows: limits.prunedRowsPerPass }
}

/**
 * Removes rows that are too old, the oldest of each table first, and returns how many.
 * A busy table cannot keep another from being pruned: each has an equal share of a pass, and what some leave is the others'.
 */
export function pruneRows({ transaction, tableOf, deltas, logs }: ApplyState, { before, rows }: Pruning): number {
  let waiting = Object.keys(before).map(tableOf)
  let left = rows
  while (waiting.length > 0 && left > 0) {
    const share = Math.max(1, Math.floor(left / waiting.length))
    const busy: AnyTable[] = []
    for (const table of waiting) {
      const keys = expired(transaction, table, before[table.name] as number, share)
      noteHorizons(transaction, table, keys, deltas)
      if (keys.length > 0) logs.removing(table)
      const leftBefore = left
      for (const key of keys) if (removeRow(transaction, table, key, deltas)) left--
      assert(left < leftBefore || keys.length === 0, 'rows that are listed as past their time are there', table.name)
      if (keys.length >= share) busy.push(table)
    }
    waiting = busy
  }
  return rows - left
}

/** Of a log: how far each topic is about to be removed. `keys` rise, so that the last of a topic is its newest. */
function noteHorizons(
  transaction: ByteTransaction,
  table: AnyTable,
  keys: readonly Uint8Array[],
  deltas: TotalDeltas,
): void {
  const topics = table.log?.topics
  if (topics?.horizons === undefined) return
  const newest = new Map<string, string>()
  for (const key of keys) {
    const row = transaction.get(tableDatabase(table.name), key)
    if (row === undefined) continue
    const decoded = decodeRow<{ readonly id: string }>(row)
    newest.set(topics.of(decoded), decoded.id)
  }
  for (const [topic, id] of newest) {
    const row: LogHorizon = { topic, id }
    const { name, key } = topics.horizons
    applyChange(
      transaction,
      topics.horizons as unknown as AnyTable,
      { type: 'put', table: name, key: key(row), row: encodeRow(row) },
      deltas,
    )
  }
}

/** The keys of the oldest rows that are past their time, by the index that lists them by time or by the primary key. */
function expired(transaction: ByteTransaction, table: AnyTable, before: number, limit: number): Uint8Array[] {
  if (table.retention === undefined) throw new Error(`rows of the table ${table.name} are kept for ever`)
  const { index, timeOf } = table.retention
  if (index !== undefined) {
    return transaction.values(indexDatabase(table.name, index), groupRange([], { to: [before], limit }))
  }
  // The oldest come first: behind the first that stays, none is decoded.
  const keys: Uint8Array[] = []
  for (const bytes of transaction.values(tableDatabase(table.name), prefixRange([], { limit }))) {
    const row = decodeRow(bytes)
    if (timeOf(row) >= before) break
    keys.push(encodeKey(table.key(row)))
  }
  return keys
}
