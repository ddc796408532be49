// A simulated day as the records that its store was changed by. They are kept as bytes, so that nothing but what is written down in them
// can reach a store that is made of them.

import { schemaVersion, tables } from '../../src/records/index.js'
import { meterValuesTable } from '../../src/records/meter-values.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { timeOfId } from '../../src/runtime/ids.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { type MemoryDisk, memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import type { Entry, Outcome, StoreRecord } from '../../src/runtime/store/storage/record.js'
import { createSpace } from '../../src/runtime/store/storage/space.js'
import { unowned } from '../../src/runtime/store/store.js'
import type { DiskRecorder } from './store.js'
import { runWorld, type WorldOptions, type WorldResult } from './world.js'

/** A record with what became of its entries; undefined where a process has opened the store. */
export type Step = { readonly record: Uint8Array; readonly outcomes: readonly Outcome[] } | undefined

export interface RecordedDay {
  readonly world: WorldResult
  readonly steps: readonly Step[]
  /** What the day has left. */
  readonly disk: MemoryDisk
  /** How many entries of each kind there are. */
  readonly entries: Readonly<Record<Entry['type'], number>>
}

const dayMs = 24 * 3_600_000
const lowBytes = 1_000_000
const thinnedReadings = 50

export async function recordDay(options: WorldOptions): Promise<RecordedDay> {
  const steps: Step[] = []
  const entries = { batch: 0, assign: 0, space: 0, keep: 0, prune: 0, time: 0, probe: 0 }
  const recorder: DiskRecorder = {
    opened: () => void steps.push(undefined),
    applied(record: StoreRecord, outcomes) {
      steps.push({ record: encodeRow(record), outcomes })
      for (const { type } of record.entries) entries[type]++
    },
  }
  const disk = memoryDisk()
  const world = await runWorld({ ...options, disk: { rows: disk, full: false, recorder } })
  await endDay(disk, recorder)
  return { world, steps, disk, entries }
}

/** What worlds do not have: series that are thinned, days that are set, and rows that outlive them. */
async function endDay(disk: MemoryDisk, recorder: DiskRecorder): Promise<void> {
  const space = createSpace(tables)
  const store = openMemoryStore(tables, { disk, schemaVersion, space, onApplied: recorder.applied })
  recorder.opened()
  space.note(0, lowBytes)
  for (const reading of store.view().list(meterValuesTable, [], { limit: thinnedReadings })) {
    const row = { ...reading, at: reading.at + dayMs }
    const key = meterValuesTable.key(row)
    await store.commit(unowned([{ type: 'put', table: meterValuesTable.name, key, row: encodeRow(row) }]))
  }
  space.note(2 * lowBytes, lowBytes)
  await store.probe()
  await store.keep({ [outboxTable.name]: 1 })
  const [newest] = store.view().list(outboxTable, [], { reverse: true, limit: 1 })
  const tomorrow = timeOfId(newest?.id ?? '') + dayMs
  while ((await store.prune(tomorrow)) > 0);
  await store.close()
}
