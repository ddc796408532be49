// Rows that have outlived their table's retention, removed a bounded number at a time.

import { limits } from '../limits.js'
import { removeRow } from './apply-batch.js'
import { type AnyTable, type ByteTransaction, indexDatabase, type Tables } from './byte-store.js'
import type { TotalDeltas } from './index-entries.js'
import { groupRange } from './key-bytes.js'

/**
 * Removes rows older than their table keeps them, the oldest first, at most `limits.prunedRowsPerPass` in all.
 * Every table gets an equal share of a pass, so that a busy one cannot keep another from being pruned.
 */
export function pruneRows(transaction: ByteTransaction, tables: Tables, nowMs: number, deltas: TotalDeltas): number {
  const kept = tables.filter((table) => table.retention !== undefined)
  const share = Math.max(1, Math.floor(limits.prunedRowsPerPass / Math.max(1, kept.length)))
  let removed = 0
  for (const table of kept) {
    const { index, milliseconds } = table.retention as NonNullable<typeof table.retention>
    const range = groupRange([], { to: [nowMs - milliseconds], limit: share })
    for (const key of transaction.values(indexDatabase(table.name, index), range)) {
      if (removeRow(transaction, table as unknown as AnyTable, key, deltas)) removed++
    }
  }
  return removed
}
