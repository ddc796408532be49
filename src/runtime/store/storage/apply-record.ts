// A record becomes part of a store, in one transaction. What becomes of its entries follows from the record and the store alone: another
// store that is the same before is the same afterwards, on whichever machine and at whatever time.

import { isBroken } from '../../assert.js'
import type { CommitResult } from '../store.js'
import { applyBatch } from './apply-batch.js'
import { type ApplyState, beginApplying, endApplying, type StoredState, storedStateOf } from './apply-state.js'
import type { ByteTransaction, Tables } from './byte-store.js'
import type { Engine } from './engine.js'
import { keptDaysRow, probedAtRow, storedTimeRow } from './meta.js'
import type { Entry, Outcome, StoreRecord } from './record.js'
import { pruneRows } from './retention.js'

export interface Applied {
  /** What became of each entry, in their order. */
  readonly outcomes: readonly Outcome[]
  /** Topics of what was added to tables that are followed. */
  readonly topics: ReadonlySet<string>
  readonly thinnedRows: number
  readonly stored: StoredState
}

export interface AppliedRecord extends Applied {
  /** Why entries could not be stored. */
  readonly errors: ReadonlyMap<Entry, unknown>
}

export interface Applier {
  /**
   * Applies a record with what can be stored of it. Throws, with nothing changed, when the engine refuses it, or when its totals cannot be.
   */
  apply(record: StoreRecord): AppliedRecord
  /** What the store holds beside rows. */
  readonly stored: StoredState
}

/** Half of an entry may be written: the transaction has to be rolled back, and begun again without it. */
class CannotBeStored extends Error {
  constructor(
    readonly entry: Entry,
    error: unknown,
  ) {
    super('an entry cannot be stored', { cause: error })
  }
}

const done: Outcome = { ok: true }

export function unavailable(message: string): CommitResult {
  return { ok: false, reason: 'storage_unavailable', message }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function applyEntry(state: ApplyState, entry: Entry, at: number): Outcome {
  switch (entry.type) {
    case 'batch':
      return applyBatch(state, entry.batch)
    case 'assign':
      for (const [index, partition] of entry.partitions.entries())
        state.epochs.raise(partition, entry.epochs[index] as number)
      return done
    case 'space':
      state.spaceLevel = entry.level
      return done
    case 'keep':
      keptDaysRow.write(state.transaction, entry.days)
      return done
    case 'prune':
      return { ok: true, removed: pruneRows(state, entry) }
    case 'time':
      storedTimeRow.write(state.transaction, entry.time)
      return done
    case 'probe':
      probedAtRow.write(state.transaction, at)
      return done
  }
}

/**
 * A function of the store, as the transaction and `stored` show it, and of the record. Its caller rolls back when it throws. `errors`: of
 * entries that are left out because they cannot be stored.
 */
export function applyEntries(
  transaction: ByteTransaction,
  stored: StoredState,
  { at, entries }: StoreRecord,
  errors: ReadonlyMap<Entry, unknown> = new Map(),
): Applied {
  const state = beginApplying(transaction, stored, at)
  const outcomes = entries.map((entry): Outcome => {
    if (errors.has(entry)) return unavailable(`the batch cannot be stored: ${messageOf(errors.get(entry))}`)
    try {
      return applyEntry(state, entry, at)
    } catch (error) {
      throw new CannotBeStored(entry, error)
    }
  })
  const next = endApplying(state, stored)
  return { outcomes, topics: state.logs.topics, thinnedRows: state.thinnedRows, stored: next }
}

/** For whoever writes a store alone: what it holds beside rows is read once. */
export function createApplier(
  engine: Pick<Engine, 'transaction' | 'isEngineError' | 'reader'>,
  tables: Tables,
): Applier {
  let stored = storedStateOf(engine.reader, tables)
  return {
    get stored() {
      return stored
    },
    apply(record) {
      const errors = new Map<Entry, unknown>()
      for (;;) {
        try {
          const applied = engine.transaction((transaction) => applyEntries(transaction, stored, record, errors))
          stored = applied.stored
          return { ...applied, errors }
        } catch (error) {
          const reason = error instanceof CannotBeStored ? error.cause : error
          const culprit = culpritOf(error, engine, record, errors)
          if (culprit === undefined) throw reason
          errors.set(culprit, reason)
        }
      }
    },
  }
}

/** The entry to leave out; undefined where the engine has refused all of them, or where smaller records have to show which of several it was. */
function culpritOf(
  error: unknown,
  { isEngineError }: Pick<Engine, 'isEngineError'>,
  { entries }: StoreRecord,
  leftOut: ReadonlyMap<Entry, unknown>,
): Entry | undefined {
  if (error instanceof CannotBeStored) return isEngineError(error.cause) ? undefined : error.entry
  const left = entries.filter((entry) => !leftOut.has(entry))
  return isBroken(error) && left.length === 1 ? left[0] : undefined
}
