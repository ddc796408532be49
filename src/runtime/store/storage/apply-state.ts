// What decides, beside rows, what becomes of an entry: it is in the store, read from there once, and handed on from record to record.
// And what one transaction gathers while it applies a record, which is lost with it.

import { type AppendLogs, appendLogsAfter, type NewestIds, storedNewestIds } from './append-log.js'
import { type AnyTable, type ByteReader, type ByteTransaction, type Tables, tableFinder } from './byte-store.js'
import { type Epochs, epochsAfter, storedEpochs } from './epochs.js'
import { type TotalDeltas, writeTotals } from './index-entries.js'
import { spaceLevelRow } from './meta.js'
import type { SpaceLevel } from './space.js'

/** As of the newest record; it is never changed, but replaced when a record is in the store. */
export interface StoredState {
  /** Throws for a table that the store has not. */
  readonly tableOf: (name: string) => AnyTable
  readonly epochs: Buffer
  readonly newestIds: NewestIds
  /** How full the disk was said to be. */
  readonly spaceLevel: SpaceLevel
}

export interface ApplyState {
  readonly transaction: ByteTransaction
  readonly tableOf: (name: string) => AnyTable
  /** What totals gain or lose. */
  readonly deltas: TotalDeltas
  readonly epochs: Epochs
  readonly logs: AppendLogs
  spaceLevel: SpaceLevel
  thinnedRows: number
}

export function storedStateOf(reader: ByteReader, tables: Tables): StoredState {
  return {
    tableOf: tableFinder(tables),
    epochs: storedEpochs(reader),
    newestIds: storedNewestIds(reader, tables as readonly unknown[] as AnyTable[]),
    spaceLevel: spaceLevelRow.read(reader),
  }
}

/** `at`: the record's time, ms. */
export function beginApplying(transaction: ByteTransaction, stored: StoredState, at: number): ApplyState {
  return {
    transaction,
    tableOf: stored.tableOf,
    deltas: new Map(),
    epochs: epochsAfter(stored.epochs),
    logs: appendLogsAfter(stored.newestIds, at),
    spaceLevel: stored.spaceLevel,
    thinnedRows: 0,
  }
}

/** Writes what was gathered; the last of a transaction. Returns what is stored when it is committed. */
export function endApplying(state: ApplyState, stored: StoredState): StoredState {
  const { transaction, spaceLevel } = state
  writeTotals(transaction, state.deltas)
  if (spaceLevel !== stored.spaceLevel) spaceLevelRow.write(transaction, spaceLevel)
  return {
    tableOf: stored.tableOf,
    epochs: state.epochs.write(transaction),
    newestIds: state.logs.write(transaction),
    spaceLevel,
  }
}
