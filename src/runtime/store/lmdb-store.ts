// The durable store: LMDB behind the Store contract. One writer in the process, any number of views on other threads.
// It never acknowledges what the disk does not have, and a disk that refuses a write never ends the process.

import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '../clock.js'
import { flushToDisk, makeDirectory } from '../files.js'
import { limits } from '../limits.js'
import { copyEnvironment, countEntries } from './lmdb/copy.js'
import { refuseDamagedPages, WrittenMeanwhile } from './lmdb/data-file.js'
import {
  createEnvironment,
  type Environment,
  isLmdbError,
  openForReading,
  openForWriting,
  type WritableEnvironment,
} from './lmdb/environment.js'
import { NoRoom } from './lmdb/room.js'
import { type Tables, tableDatabase } from './storage/byte-store.js'
import { checkStore, type StoreCheck } from './storage/check.js'
import { groupCommit } from './storage/group-commit.js'
import { readViewOf } from './storage/read-view.js'
import { prepareStore, storedBootNumber, storedSchemaVersion } from './storage/schema.js'
import type { StoreOptions, StoreWriter } from './storage/store-writer.js'
import type { ReadView } from './store.js'

/** The one file of a store; the lock file beside it is made anew by whoever opens it. */
export const storeFile = 'data.mdb'
export const lockFile = 'lock.mdb'

/** Where a store is made; one that was never finished is cleared away. */
const creatingFolder = 'creating'

export interface StoreView extends ReadView {
  close(): Promise<void>
}

function prepare(path: string, tables: Tables, environment: WritableEnvironment, options: StoreOptions): number {
  const { schemaVersion = 1, migrations = [], onMigrationPart } = options
  const { transaction: inTransaction, databases } = environment
  try {
    return prepareStore({ where: path, inTransaction, databases, tables, schemaVersion, migrations, onMigrationPart })
  } catch (error) {
    void environment.close()
    throw error
  }
}

/**
 * Makes an empty store in a directory that has none: whole or not at all, so that a file which is no store is never one that was only
 * begun. Nobody else may do so meanwhile.
 */
export async function createStore(path: string): Promise<void> {
  const place = join(path, creatingFolder)
  rmSync(place, { recursive: true, force: true })
  makeDirectory(place)
  try {
    await createEnvironment(place)
    flushToDisk(join(place, storeFile))
    renameSync(join(place, storeFile), join(path, storeFile))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
  flushToDisk(path)
}

/**
 * Throws one clear line when the store at `path` is damaged in a way that would end the process by a signal, so far as that shows within
 * `limits.pageCheckMs`. Only while nobody writes it.
 */
export function requireWholePages(path: string, clock: Pick<Clock, 'monotonic'>): void {
  const deadline = clock.monotonic() + limits.pageCheckMs
  refuseDamagedPages(join(path, storeFile), () => clock.monotonic() >= deadline)
}

/**
 * Opens the store for writing: creates it, or migrates it to `schemaVersion`.
 * Throws one clear line when the disk is not local, or when the store is newer than this program.
 */
export function openWriter(path: string, tables: Tables, options: StoreOptions = {}): StoreWriter {
  const environment = openForWriting(path, tables, options.space)
  const bootNumber = prepare(path, tables, environment, options)
  const view = readViewOf(environment.reader)
  const group = groupCommit(
    {
      transaction: (work) =>
        environment.transaction((transaction) => {
          if (storedBootNumber(transaction) !== bootNumber)
            throw new Error(`another process has opened the store at ${path} for writing`)
          return work(transaction)
        }),
      reader: environment.reader,
      flushed: environment.flushed,
      isEngineError: isLmdbError,
      isNoRoom: (error) => error instanceof NoRoom,
    },
    tables,
    // The thread is inside the transaction while the disk works; messages that arrived meanwhile are read before
    // the next immediate, and so join the next group.
    {
      clock: options.clock,
      onGroup: options.onGroup,
      space: options.space,
      onBroken: options.onBroken,
      onAppended: options.onAppended,
      onApplied: options.onApplied,
      schedule: (writeGroup) => setImmediate(writeGroup),
    },
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
    epochs: group.epochs,
    fence: group.fence,
    keep: group.keep,
    prune(nowMs) {
      environment.releaseDeadReaders()
      return group.prune(nowMs)
    },
    probe: group.probe,
    time: group.time,
    storeTime: group.storeTime,
    reserve: environment.reserve,
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

/** What a store holds, without knowing its tables. */
export interface StoreFacts {
  readonly schemaVersion: number
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Copies the store at `from`, as it is at one moment, into the existing directory `to`; the service may write meanwhile.
 * The copy has been flushed when this resolves. Throws when there is no store at `from`.
 */
export async function copyStore(from: string, to: string): Promise<StoreFacts> {
  if (!existsSync(join(from, storeFile))) throw new Error(`there is no store at ${from}`)
  try {
    requireWholePages(from, systemClock)
  } catch (error) {
    if (!(error instanceof WrittenMeanwhile)) throw error
  }
  await copyEnvironment(from, to)
  flushToDisk(join(to, storeFile))
  return factsOf(to)
}

/** Whether the store at `path` agrees with itself. Throws when it has not these tables. Nobody may write meanwhile. */
export async function checkStoreAt(path: string, tables: Tables): Promise<StoreCheck> {
  const { reader, close } = openForReading(path, tables)
  try {
    return checkStore(reader, tables)
  } finally {
    await close()
  }
}

/** Of the store at `path`; nobody may write meanwhile. Throws one clear line when it is damaged, or not one of ampshard. */
export async function factsOf(path: string): Promise<StoreFacts> {
  const prefix = tableDatabase('')
  const counts = [...(await countEntries(path))].filter(([name]) => name.startsWith(prefix))
  const { reader, close } = openForReading(path, [])
  try {
    return {
      schemaVersion: storedSchemaVersion(reader) ?? 0,
      rows: Object.fromEntries(counts.map(([name, count]) => [name.slice(prefix.length), count])),
    }
  } finally {
    await close()
  }
}
