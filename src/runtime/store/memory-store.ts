// The Store contract in memory, for tests and simulation: the same rows, lists, totals, conditions and fences.
// It can lose what was not flushed, as a power cut does, and refuse writes, as a full disk does.

import { decodeRow } from '../codec.js'
import type { Tables } from './storage/byte-store.js'
import { groupCommit } from './storage/group-commit.js'
import { type MemoryDisk, memoryDisk, memoryReader, memoryTransactions } from './storage/memory-bytes.js'
import { readViewOf } from './storage/read-view.js'
import { prepareStore } from './storage/schema.js'
import type { StoreOptions, StoreWriter } from './storage/store-writer.js'

export interface MemoryStoreOptions extends StoreOptions {
  /** `commit`, the default, writes each batch when it is committed; `manual` lets them wait for `flush`. */
  readonly flushWhen?: 'commit' | 'manual'
  /** Where rows are kept; a store opened again on the same disk finds what was flushed. */
  readonly disk?: MemoryDisk
}

export interface MemoryStore extends StoreWriter {
  /** Writes everything that waits, in groups; its commits resolve soon after. */
  flush(): void
  /** Loses what was not flushed and rejects its commits; the store goes on from what the disk has. */
  crash(): void
  /** The next `groups` transactions fail, as on a full disk: their commits are refused. */
  failNext(groups?: number): void
}

class RefusedWrite extends Error {}

/** Rows that were read, by the bytes that this store keeps of them. */
const decoded = new WeakMap<Uint8Array, unknown>()

function freeze(value: unknown): void {
  // Bytes in a row cannot be frozen.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  Object.freeze(value)
  for (const held of Object.values(value)) freeze(held)
}

/** A row is decoded once, however often it is read. It is frozen: who changed it would change what others read. */
function decodeOnce<Row>(bytes: Uint8Array): Row {
  const known = decoded.get(bytes)
  if (known !== undefined) return known as Row
  const row = decodeRow<Row>(bytes)
  freeze(row)
  decoded.set(bytes, row)
  return row
}

/** Opens a store in memory; throws as the durable one does when the disk's schema version is newer. */
export function openMemoryStore(tables: Tables, options: MemoryStoreOptions = {}): MemoryStore {
  const { disk = memoryDisk(), flushWhen = 'commit', schemaVersion = 1, migrations = [] } = options
  const transaction = memoryTransactions(disk)
  const bootNumber = prepareStore({
    where: 'memory',
    inTransaction: transaction,
    databases: { names: () => [...disk.keys()], drop: (database) => disk.delete(database) },
    tables,
    schemaVersion,
    migrations,
    onMigrationPart: options.onMigrationPart,
  })
  const reader = memoryReader(disk)
  const view = readViewOf(reader, decodeOnce)
  let failures = 0
  let waiting = false
  const group = groupCommit(
    {
      transaction(work) {
        return transaction((writing) => {
          if (failures > 0) {
            failures--
            throw new RefusedWrite('No space left on device')
          }
          return work(writing)
        })
      },
      reader,
      flushed: async () => undefined,
      isEngineError: (error) => error instanceof RefusedWrite,
      isNoRoom: () => false,
    },
    tables,
    {
      clock: options.clock,
      onGroup: options.onGroup,
      space: options.space,
      onBroken: options.onBroken,
      onAppended: options.onAppended,
      onApplied: options.onApplied,
      schedule(writeGroup) {
        waiting = flushWhen === 'manual'
        if (!waiting) writeGroup()
      },
    },
  )
  const flush = () => {
    while (waiting) {
      waiting = false
      group.writeGroup()
    }
  }
  return {
    bootNumber,
    view: () => view,
    commit: group.commit,
    epochs: group.epochs,
    fence: group.fence,
    keep: group.keep,
    prune: group.prune,
    probe: group.probe,
    time: group.time,
    storeTime: group.storeTime,
    reserve: () => {},
    flush,
    crash: () => group.abandon(new Error('the store crashed before this was flushed')),
    failNext(groups = 1) {
      failures = groups
    },
    backup: () => Promise.reject(new Error('a store in memory has no files to copy')),
    async close() {
      const drained = group.drain()
      flush()
      await drained
    },
  }
}
