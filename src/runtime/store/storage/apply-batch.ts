// One batch inside a write transaction: its owner's epoch, its conditions, then its changes with their index entries.
// It knows no engine; the caller owns the transaction and writes the totals when the whole record is applied.

import { decodeRow } from '../../codec.js'
import type { Change, ChangeBatch, CommitResult, Condition } from '../store.js'
import type { ApplyState } from './apply-state.js'
import { type AnyTable, type ByteReader, type ByteTransaction, tableDatabase } from './byte-store.js'
import { moveEntries, type TotalDeltas, totalSoFar } from './index-entries.js'
import { encodeKey } from './key-bytes.js'
import { thinPut } from './thin-row.js'

/** `deltas`: what the transaction has added to totals so far. */
function holds(reader: ByteReader, condition: Condition, deltas: TotalDeltas): boolean {
  if (condition.is === 'below') {
    const { table, index, group, total } = condition
    return totalSoFar(reader, deltas, table, index, group) < total
  }
  const database = tableDatabase(condition.table)
  const key = encodeKey(condition.key)
  switch (condition.is) {
    case 'absent':
      return !reader.has(database, key)
    case 'present':
      return reader.has(database, key)
    case 'version': {
      const bytes = reader.get(database, key)
      // Rows from before their table had versions count as version 0.
      return bytes !== undefined && (decodeRow<{ version?: unknown }>(bytes).version ?? 0) === condition.version
    }
  }
}

function put(
  transaction: ByteTransaction,
  table: AnyTable,
  key: Uint8Array,
  bytes: Uint8Array,
  deltas: TotalDeltas,
  row: unknown,
): void {
  const database = tableDatabase(table.name)
  const before = transaction.get(database, key)
  if (before !== undefined && Buffer.compare(before, bytes) === 0) return
  const stays = before !== undefined && table.listedByKey === true
  if (!stays) moveEntries(transaction, table, key, before, bytes, deltas, row)
  transaction.put(database, key, bytes)
}

/** Removes a row by its encoded key, with its entries; false when there was none. */
export function removeRow(
  transaction: ByteTransaction,
  table: AnyTable,
  key: Uint8Array,
  deltas: TotalDeltas,
): boolean {
  const database = tableDatabase(table.name)
  const before = transaction.get(database, key)
  if (before === undefined) return false
  moveEntries(transaction, table, key, before, undefined, deltas)
  transaction.remove(database, key)
  return true
}

/** One change with its index entries; throws when it cannot be stored. `row`: what is put, where it is decoded already. */
export function applyChange(
  transaction: ByteTransaction,
  table: AnyTable,
  change: Change,
  deltas: TotalDeltas,
  row?: unknown,
): void {
  const key = encodeKey(change.key)
  if (change.type === 'put') put(transaction, table, key, change.row, deltas, row)
  else removeRow(transaction, table, key, deltas)
}

/**
 * Applies a batch, or nothing of it when its owner has been replaced or a condition does not hold.
 * Throws when the batch cannot be stored (an unknown table, a key that is too long): the caller must roll back.
 */
export function applyBatch(state: ApplyState, batch: ChangeBatch): CommitResult {
  const { transaction, tableOf, deltas } = state
  if (isStale(state, batch)) return { ok: false, reason: 'stale_epoch' }
  for (const [at, condition] of (batch.conditions ?? []).entries()) {
    tableOf(condition.table)
    if (!holds(transaction, condition, deltas)) return { ok: false, reason: 'condition_failed', condition: at }
  }
  for (const change of batch.changes) {
    const table = tableOf(change.table)
    const thinned = isThinned(state, table, change) ? thinPut(transaction, table, change) : undefined
    if (thinned === undefined) {
      if (change.type === 'remove') state.logs.removing(table)
      const placed = state.logs.place(table, change)
      applyChange(transaction, table, placed.change, deltas, placed.row)
      continue
    }
    if (state.spaceLevel > 0) state.thinnedRows++
    if (thinned.replaces !== undefined) removeRow(transaction, table, encodeKey(thinned.replaces), deltas)
    if (thinned.put !== undefined) applyChange(transaction, table, thinned.put, deltas)
  }
  return { ok: true }
}

/** What no actor owns has no owner that could have been replaced. A newer owner's first batch is as good as an assignment. */
function isStale({ epochs }: ApplyState, { partition, epoch }: ChangeBatch): boolean {
  if (partition < 0) return false
  if (epoch < epochs.newest(partition)) return true
  epochs.raise(partition, epoch)
  return false
}

function isThinned(state: ApplyState, table: AnyTable, change: Change): change is Extract<Change, { type: 'put' }> {
  return change.type === 'put' && table.thinning !== undefined && (state.spaceLevel > 0 || change.thin === true)
}
