// The store thread: the one place that writes. Answers commits of fronts and shards, and prunes what has outlived its time.

import { type MessagePort, workerData } from 'node:worker_threads'
import { schemaVersion, tables } from './actors/records/index.js'
import { exposeControl } from './runtime/control.js'
import { limits } from './runtime/limits.js'
import { openWriter } from './runtime/lmdb-store.js'
import type { StoreWriter } from './runtime/storage/store-writer.js'
import { serveStore } from './runtime/store-service.js'
import { threadMemory } from './runtime/thread-memory.js'
import type { StoreControl, StoreStart, StoreStatistics } from './threads.js'

const pruneEveryMs = 1_000

const { settings, control } = workerData as StoreStart
const measured = { groups: 0, batches: 0, changes: 0, milliseconds: 0, refusedGroups: 0, writable: true }
let store: StoreWriter | undefined

function opened(): StoreWriter {
  if (store === undefined) throw new Error('the store is not open')
  return store
}

/** A full pass means that more is waiting: the next follows soon, but commits go between. */
async function prune(): Promise<void> {
  const removed = await opened().prune(Date.now())
  setTimeout(prune, removed >= limits.prunedRowsPerPass / 10 ? 50 : pruneEveryMs).unref()
}

const api: StoreControl = {
  open() {
    store = openWriter(settings.data, tables, {
      schemaVersion,
      onGroup({ batches, changes, milliseconds, written }) {
        measured.groups++
        measured.batches += batches
        measured.changes += changes
        measured.milliseconds += milliseconds
        if (!written) measured.refusedGroups++
        measured.writable = written
      },
    })
    setTimeout(prune, pruneEveryMs).unref()
    return store.bootNumber
  },
  connect(port: MessagePort) {
    serveStore(opened(), port)
  },
  async fence(partitions, epochs) {
    await Promise.all(partitions.map((partition, at) => opened().fence(partition, epochs[at] as number)))
  },
  statistics: (): StoreStatistics => ({ ...measured, memory: threadMemory() }),
  async close() {
    await opened().close()
  },
}

exposeControl(api, control)
