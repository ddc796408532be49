// Rows that have outlived their table's retention, removed a bounded number at a time.

import { decodeRow } from '../codec.js'
import { limits } from '../limits.js'
import { removeRow } from './apply-batch.js'
import { type AnyTable, type ByteTransaction, indexDatabase, type Tables, tableDatabase } from './byte-store.js'
import type { TotalDeltas } from './index-entries.js'
import { encodeKey, groupRange, prefixRange } from './key-bytes.js'

/**
 * Removes rows older than their table keeps them, the oldest first, at most `limits.prunedRowsPerPass` in all.
 * Every table gets an equal share of a pass, so that a busy one cannot keep another from being pruned.
 */
export function pruneRows(transaction: ByteTransaction, tables: Tables, nowMs: number, deltas: TotalDeltas): number {
  const kept = tables.filter((table) => table.retention !== undefined)
  const share = Math.max(1, Math.floor(limits.prunedRowsPerPass / Math.max(1, kept.length)))
  let removed = 0
  for (const table of kept) {
    for (const key of expired(transaction, table as unknown as AnyTable, nowMs, share)) {
      if (removeRow(transaction, table as unknown as AnyTable, key, deltas)) removed++
    }
  }
  return removed
}

/** The keys of the oldest rows that are past their time, by the index that lists them by time or by the primary key. */
function expired(transaction: ByteTransaction, table: AnyTable, nowMs: number, limit: number): Uint8Array[] {
  const { index, milliseconds, timeOf } = table.retention as NonNullable<typeof table.retention>
  const before = nowMs - milliseconds
  if (index !== undefined) {
    return transaction.values(indexDatabase(table.name, index), groupRange([], { to: [before], limit }))
  }
  const rows = transaction.values(tableDatabase(table.name), prefixRange([], { limit })).map((row) => decodeRow(row))
  const fresh = rows.findIndex((row) => timeOf(row) >= before)
  return (fresh === -1 ? rows : rows.slice(0, fresh)).map((row) => encodeKey(table.key(row)))
}
