// The store thread of a simulated process: the store in memory, whose writes wait for a disk that takes its time, refuses,
// or is full, and are lost with the process when they waited.

import { schemaVersion, tables } from '../../src/records/index.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import type { MemoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import type { Outcome, StoreRecord } from '../../src/runtime/store/storage/record.js'
import type { ChangeBatch, CommitResult, ReadView } from '../../src/runtime/store/store.js'
import type { Faults } from './faults.js'
import { noteIfBroken } from './silent-log.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

export interface SimulatedStore {
  readonly run: number
  view(): ReadView
  commit(batch: ChangeBatch): Promise<CommitResult>
  epochs(): readonly number[]
  fence(partitions: readonly number[], epochs: readonly number[]): Promise<void>
}

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

export interface StoreOptions {
  readonly disk: SimulatedDisk
  readonly thread: SimulatedThread
  readonly time: SimulatedTime
  readonly faults: Faults
  /** After a group has been written. */
  readonly written: () => void
  /** What has been added to, a little later, as the store thread of the service tells it. */
  readonly appended?: (topics: readonly string[]) => void
}

const appendedAfterMs = 5
const slowestFlushMs = 12
const longestStallMs = 8_000

export function openStore({ disk, thread, time, faults, written, appended }: StoreOptions): SimulatedStore {
  const store = openMemoryStore(tables, {
    flushWhen: 'manual',
    disk: disk.rows,
    schemaVersion,
    clock: time,
    onBroken: noteIfBroken,
    onApplied: disk.recorder?.applied,
    ...(appended !== undefined && { onAppended: announceSoon }),
  })
  disk.recorder?.opened()
  const added = new Set<string>()
  let flushing = false

  function announceSoon(topics: readonly string[]): void {
    if (added.size === 0) {
      time.after(appendedAfterMs, thread, () => {
        appended?.([...added])
        added.clear()
      })
    }
    for (const topic of topics) added.add(topic)
  }

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

  return {
    run: store.bootNumber,
    view: store.view,
    commit(batch) {
      const result = store.commit(batch)
      flushSoon()
      return result
    },
    epochs: store.epochs,
    fence(partitions, epochs) {
      const done = store.fence(partitions, epochs)
      flushSoon()
      return done
    },
  }
}
