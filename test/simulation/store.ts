// The store of a simulated process: the one in memory, whose writes wait for a disk that takes its time, refuses, or is full, and are lost
// with the process when they waited.

import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import type { Tables } from '../../src/runtime/store/storage/byte-store.js'
import type { MemoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import type { Outcome, StoreRecord } from '../../src/runtime/store/storage/record.js'
import type { StoreOptions, StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import type { Faults } from './faults.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

/** Hears of everything that changes a disk. */
export interface DiskRecorder {
  /** A process has opened the store. */
  opened(): void
  applied(record: StoreRecord, outcomes: readonly Outcome[]): void
}

/** The disk of a machine: what it holds outlives the processes that write it. */
export interface SimulatedDisk {
  readonly rows: MemoryDisk
  full: boolean
  readonly recorder?: DiskRecorder | undefined
}

export interface SimulatedStoreOptions {
  readonly disk: SimulatedDisk
  readonly thread: SimulatedThread
  readonly time: SimulatedTime
  readonly faults: Faults
  /** After a group has been written. */
  readonly written: () => void
  readonly applied?: DiskRecorder['applied']
}

const slowestFlushMs = 12
const longestStallMs = 8_000

export function openStore(tables: Tables, options: StoreOptions, surroundings: SimulatedStoreOptions): StoreWriter {
  const { disk, thread, time, faults, written } = surroundings
  const store = openMemoryStore(tables, {
    ...options,
    flushWhen: 'manual',
    disk: disk.rows,
    onApplied(record, outcomes) {
      disk.recorder?.applied(record, outcomes)
      surroundings.applied?.(record, outcomes)
    },
  })
  disk.recorder?.opened()
  let flushing = false

  function flush(): void {
    flushing = false
    if (disk.full || faults.happens('commitRefused')) store.failNext(Number.POSITIVE_INFINITY)
    store.flush()
    store.failNext(0)
    written()
  }

  function flushSoon(): void {
    if (flushing) return
    flushing = true
    const delayMs = faults.random() * (faults.happens('commitStalled') ? longestStallMs : slowestFlushMs)
    time.settleAfter(0.3 + delayMs, thread, flush)
  }

  function waiting<Given extends readonly unknown[], Result>(write: (...given: Given) => Result) {
    return (...given: Given): Result => {
      const result = write(...given)
      flushSoon()
      return result
    }
  }

  return {
    ...store,
    commit: waiting(store.commit),
    fence: waiting(store.fence),
    keep: waiting(store.keep),
    prune: waiting(store.prune),
    probe: waiting(store.probe),
    storeTime: waiting(store.storeTime),
  }
}
