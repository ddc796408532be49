// The only module that knows lmdb: one environment, its named databases as byte stores, and its transactions.
// Durability rests on the options here: a commit returns after fdatasync, and nothing trades that for speed.

import { existsSync, statfsSync } from 'node:fs'
import { type Database, open, type RangeOptions, type RootDatabase, type RootDatabaseOptions } from 'lmdb'
import { makeDirectory } from '../../files.js'
import { limits } from '../../limits.js'
import {
  type ByteReader,
  type ByteTransaction,
  databaseNames,
  metaDatabase,
  type Tables,
} from '../storage/byte-store.js'
import type { ByteRange } from '../storage/key-bytes.js'
import type { StoredDatabases } from '../storage/lists.js'
import type { Space } from '../storage/space.js'
import { refuseDamagedFile } from './data-file.js'
import { refuseNetworkFileSystem } from './file-system.js'
import { NoRoom, roomIn, type Written } from './room.js'

type Bytes = Database<Buffer, Uint8Array>

const leastBytesToOpen = 131_072

export interface Environment {
  readonly reader: ByteReader
  flushed(): Promise<void>
  backup(path: string): Promise<void>
  close(): Promise<void>
}

export interface WritableEnvironment extends Environment {
  /**
   * Frees what readers of other processes held that have ended without letting go: until then no page that was in use
   * at their moment is used again, and the file grows with every write. Returns how many there were.
   */
  releaseDeadReaders(): number
  /**
   * Commits when `work` returns, with the disk synchronized; rolls back and throws when it throws, and throws NoRoom when
   * the disk is too full for it.
   */
  transaction<Result>(work: (transaction: ByteTransaction) => Result): Result
  readonly databases: StoredDatabases
  /** Brings up the room that is kept for when the disk is full. */
  reserve(): void
}

// Keys are encoded by the storage's own key bytes, the same in every store, so lmdb compares plain bytes.
export const bytesOnly = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const

export const options: RootDatabaseOptions & { readonly noSubdir: boolean } = {
  ...bytesOnly,
  noSubdir: false,
  overlappingSync: false,
  separateFlushed: true,
  maxDbs: limits.storeDatabases,
  maxReaders: limits.storeReaders,
}

/** The databases of an environment; their names end with a zero, as the engine stores them. */
export function namesIn(root: Pick<Bytes, 'getKeys'>): string[] {
  return Array.from(root.getKeys(), (key) => Buffer.from(key).toString('utf8').replace(/\0$/, ''))
}

function rangeOptions({ start, end, reverse, offset, limit }: ByteRange): RangeOptions {
  const page = { offset, ...(limit === undefined ? {} : { limit }) }
  // Backwards the walk begins at the end, which stays exclusive, and takes the start in.
  if (reverse)
    return { start: end, end: start, reverse, exclusiveStart: true, inclusiveEnd: true, ...page } as RangeOptions
  return { start, end, ...page } as RangeOptions
}

function readerOf(find: (database: string) => Bytes, beforeRead: () => void): ByteReader {
  const databaseFor = (name: string) => {
    beforeRead()
    return find(name)
  }
  return {
    get: (database, key) => databaseFor(database).getBinary(key),
    has: (database, key) => databaseFor(database).getBinaryFast(key) !== undefined,
    values: (database, range) => Array.from(databaseFor(database).getRange(rangeOptions(range)), ({ value }) => value),
    keys: (database, range) => Array.from(databaseFor(database).getKeys(rangeOptions(range))),
    count: (database, { start, end }) => databaseFor(database).getKeysCount({ start, end } as unknown as RangeOptions),
  }
}

function finder(databases: ReadonlyMap<string, Bytes>): (name: string) => Bytes {
  return (name) => {
    const database = databases.get(name)
    if (database === undefined) throw new Error(`the store has no database ${name}: its table was not opened`)
    return database
  }
}

/** On a disk without room for its first pages or its lock file, lmdb ends the process by a signal. */
function requireRoomToOpen(path: string): void {
  if (existsSync(`${path}/lock.mdb`)) return
  const { bavail, bsize } = statfsSync(path)
  if (bavail * bsize < leastBytesToOpen) throw new NoRoom(`the disk of ${path} is full: make room on it`)
}

/**
 * Throws one clear line for a file that lmdb cannot open, and for another program's. `names`: the databases of a store that a program
 * has begun to create.
 */
export function openRoot(
  path: string,
  readOnly: boolean,
  names: readonly string[] = [],
): RootDatabase<Buffer, Uint8Array> {
  refuseDamagedFile(`${path}/data.mdb`)
  requireRoomToOpen(path)
  const root = open<Buffer, Uint8Array>(path, { ...options, readOnly })
  const found = namesIn(root)
  const foreign = found.includes(metaDatabase) ? undefined : found.find((name) => !names.includes(name))
  if (foreign === undefined) return root
  void root.close()
  throw new Error(`the store at ${path} is not one of ampshard: it has ${JSON.stringify(foreign)}`)
}

function openDatabases(path: string, tables: Tables, readOnly: boolean) {
  const names = databaseNames(tables)
  if (names.length > limits.storeDatabases)
    throw new Error(`the store would need ${names.length} databases, more than ${limits.storeDatabases}`)
  const root = openRoot(path, readOnly, names)
  const databases = new Map<string, Bytes>()
  function openEach(): void {
    for (const name of names) {
      // Opened for reading only, a database that does not exist is not created: lmdb gives undefined for it.
      const database: Bytes | undefined = root.openDB<Buffer, Uint8Array>({ name, ...bytesOnly })
      if (database === undefined) {
        void root.close()
        throw new Error(`the store at ${path} has no database ${name}: open it for writing first`)
      }
      databases.set(name, database)
    }
  }
  // Those that are missing are created in one commit: each would have one of its own.
  if (readOnly) openEach()
  else root.transactionSync(openEach)
  return { root, databases }
}

// lmdb keeps a thread's snapshot until a timer of the thread fires, which may be after the answer to a commit has
// arrived. A snapshot lasts for one turn here, so that whoever has been told of a commit also sees it.
function snapshotPerTurn(renew: () => void): () => number {
  let current = false
  let snapshot = 0
  const forget = () => {
    current = false
  }
  return () => {
    if (current) return snapshot
    renew()
    current = true
    queueMicrotask(forget)
    return ++snapshot
  }
}

/** Makes an environment without databases in the existing directory `path`. */
export function createEnvironment(path: string): Promise<void> {
  refuseNetworkFileSystem(path, statfsSync(path).type)
  return openRoot(path, false).close()
}

/** Creates what is missing; one caller in the process, before any `openForReading`. */
export function openForWriting(path: string, tables: Tables, space?: Space): WritableEnvironment {
  makeDirectory(path)
  refuseNetworkFileSystem(path, statfsSync(path).type)
  const { root, databases } = openDatabases(path, tables, false)
  const find = finder(databases)
  const room = roomIn(path, () => (root.getStats() as { readonly lastPageNumber: number }).lastPageNumber, space)
  // A start writes as well, and may come when the disk is short.
  room.reserve()
  let writing = false
  let written: Written = { operations: 0, bytes: 0 }
  const renew = snapshotPerTurn(() => root.resetReadTxn())
  const reader = readerOf(find, () => {
    if (!writing) renew()
  })
  const transaction: ByteTransaction = {
    ...reader,
    put: (database, key, value) => {
      written.operations++
      written.bytes += key.length + value.length
      find(database).put(key, value as Buffer)
    },
    remove: (database, key) => {
      written.operations++
      find(database).remove(key)
    },
    clear: (database) => find(database).clearSync(),
  }
  return {
    reader,
    transaction(work) {
      return root.transactionSync(() => {
        writing = true
        written = { operations: 0, bytes: 0 }
        try {
          const result = work(transaction)
          if (written.operations > 0) room.require(written)
          return result
        } finally {
          writing = false
        }
      })
    },
    databases: {
      names() {
        renew()
        return namesIn(root)
      },
      drop: (name) => root.openDB<Buffer, Uint8Array>({ name, ...bytesOnly }).dropSync(),
    },
    releaseDeadReaders: () => root.readerCheck(),
    reserve: room.reserve,
    ...shared(root),
    async close() {
      room.close()
      await root.close()
    },
  }
}

function shared(root: ReturnType<typeof open>) {
  return {
    async flushed() {
      await root.flushed
    },
    async backup(path: string) {
      makeDirectory(path)
      if (existsSync(`${path}/data.mdb`)) throw new Error(`there is a store at ${path} already`)
      await root.backup(path, false)
    },
    close: () => root.close(),
  }
}

/** Takes no write lock and creates nothing: throws when the store has not been opened for writing before. */
export function openForReading(path: string, tables: Tables): Environment {
  if (!existsSync(`${path}/data.mdb`)) throw new Error(`there is no store at ${path}`)
  const { root, databases } = openDatabases(path, tables, true)
  const snapshot = snapshotPerTurn(() => root.resetReadTxn())
  return { reader: { ...readerOf(finder(databases), snapshot), snapshot }, ...shared(root) }
}

/** Errors of lmdb and of the disk carry a number; what a batch gets wrong does not. */
export function isLmdbError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number'
}
