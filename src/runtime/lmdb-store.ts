// The durable store: LMDB behind the Store contract. One writer in the process, any number of views on other threads.
// It never acknowledges what the disk does not have, and a disk that refuses a write never ends the process.

import {
  type Environment,
  isLmdbError,
  openForReading,
  openForWriting,
  type WritableEnvironment,
} from './lmdb/environment.js'
import type { Tables } from './storage/byte-store.js'
import { groupCommit } from './storage/group-commit.js'
import { readViewOf } from './storage/read-view.js'
import { prepareStore, storedBootNumber } from './storage/schema.js'
import type { StoreOptions, StoreWriter } from './storage/store-writer.js'
import type { ReadView } from './store.js'

export interface StoreView extends ReadView {
  close(): Promise<void>
}

function prepare(path: string, tables: Tables, environment: WritableEnvironment, options: StoreOptions): number {
  const { schemaVersion = 1, migrations = [] } = options
  try {
    return prepareStore(path, environment.transaction, tables, schemaVersion, migrations)
  } catch (error) {
    void environment.close()
    throw error
  }
}

/**
 * Opens the store for writing: creates it, or migrates it to `schemaVersion`.
 * Throws one clear line when the disk is not local, or when the store is newer than this program.
 */
export function openWriter(path: string, tables: Tables, options: StoreOptions = {}): StoreWriter {
  const environment = openForWriting(path, tables)
  const bootNumber = prepare(path, tables, environment, options)
  const view = readViewOf(environment.reader)
  const group = groupCommit(
    {
      transaction: (work) =>
        environment.transaction((transaction) => {
          if (storedBootNumber(transaction) !== bootNumber)
            throw new Error(`another process has opened the store at ${path} for writing`)
          work(transaction)
        }),
      flushed: environment.flushed,
      isEngineError: isLmdbError,
    },
    tables,
    // The thread is inside the transaction while the disk works; messages that arrived meanwhile are read before
    // the next immediate, and so join the next group.
    { clock: options.clock, onGroup: options.onGroup, schedule: (writeGroup) => setImmediate(writeGroup) },
  )
  let closed: Promise<void> | undefined
  const close = async () => {
    await group.drain()
    await environment.close()
  }
  return {
    bootNumber,
    view: () => view,
    commit: group.commit,
    fence: group.fence,
    prune(nowMs) {
      environment.releaseDeadReaders()
      return group.prune(nowMs)
    },
    backup: environment.backup,
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** A view for a thread that only reads. Throws when the store has not been opened for writing with these tables. */
export function openView(path: string, tables: Tables): StoreView {
  const environment: Environment = openForReading(path, tables)
  return { ...readViewOf(environment.reader), close: environment.close }
}
