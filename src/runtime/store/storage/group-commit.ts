// The writer's queue: what waits is written together, as one record in one transaction, and answered once the disk has it.
// First come, first served: what nobody waits for comes in parts that are small enough, passes of pruning and notes of one partition at a time,
// so that it needs no queue of its own.
// What may be tried at all is decided here, by the clock, the disk's space and the queue; what becomes of it, where it is applied.

import { assert, isBroken } from '../../assert.js'
import { type Clock, systemClock } from '../../clock.js'
import { limits } from '../../limits.js'
import type { StoredTime } from '../../steady-time.js'
import type { ChangeBatch, CommitResult } from '../store.js'
import { createApplier, messageOf, unavailable } from './apply-record.js'
import type { Tables } from './byte-store.js'
import type { Engine } from './engine.js'
import { epochsOf } from './epochs.js'
import { keptDaysRow, storedTimeRow } from './meta.js'
import type { Entry, Outcome, StoreRecord } from './record.js'
import { pruningAt } from './retention.js'
import { createSequences } from './sequences.js'
import type { Space } from './space.js'
import type { GroupMeasure } from './store-writer.js'

export interface GroupCommit {
  commit(batch: ChangeBatch): Promise<CommitResult>
  epochs(): readonly number[]
  fence(partitions: readonly number[], epochs: readonly number[]): Promise<void>
  keep(days: Readonly<Record<string, number>>): Promise<boolean>
  prune(nowMs: number): Promise<number>
  probe(): Promise<boolean>
  time(): StoredTime | undefined
  storeTime(time: StoredTime): Promise<boolean>
  /** Writes one group of what waits. */
  writeGroup(): void
  /** Refuses new batches; resolves when all accepted ones are answered. */
  drain(): Promise<void>
  /** Drops everything that waits, as a dying process would, and rejects its promises. */
  abandon(error: Error): void
}

interface Waiting {
  readonly entry: Entry
  answer(outcome: Outcome): void
  reject(error: Error): void
}

export interface GroupCommitOptions {
  readonly clock?: Clock | undefined
  readonly onGroup?: ((measure: GroupMeasure) => void) | undefined
  readonly space?: Space | undefined
  /** Told of an assertion that has failed for a batch; the batch alone is refused. */
  readonly onBroken?: ((error: Error) => void) | undefined
  /** Told the topics of what a group has added to tables that are followed, once the disk has it. */
  readonly onAppended?: ((topics: readonly string[]) => void) | undefined
  /** Given each record that was applied, in their order, with what became of its entries; the disk may not have it yet. */
  readonly onApplied?: ((record: StoreRecord, outcomes: readonly Outcome[]) => void) | undefined
  /** Calls `writeGroup` soon. What arrives before it does joins the group. */
  schedule(writeGroup: () => void): void
}

type Assignment = Extract<Entry, { readonly type: 'assign' }>

function changesOf({ entry }: Waiting): number {
  return entry.type === 'batch' ? entry.batch.changes.length : 0
}

export function groupCommit(engine: Engine, tables: Tables, options: GroupCommitOptions): GroupCommit {
  const clock = options.clock ?? systemClock
  const { space } = options
  const applier = createApplier(engine, tables)
  const sequences = createSequences()
  /** Assignments that the disk has refused: nothing may be written before them. */
  let owed: Assignment[] = []
  let queue: Waiting[] = []
  let scheduled = false
  let groupBatches: number = limits.groupBatches
  let draining = false

  function schedule(): void {
    if (scheduled || queue.length === 0) return
    scheduled = true
    options.schedule(writeGroup)
  }

  function enqueue(entry: Entry): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      let answered = false
      const once = (say: () => void): void => {
        assert(!answered, 'what waits for the disk is answered once')
        answered = true
        say()
      }
      queue.push({
        entry,
        answer: (outcome) => once(() => resolve(outcome)),
        reject: (error) => once(() => reject(error)),
      })
      schedule()
    })
  }

  function measure(group: readonly Waiting[], startedAt: number, written: boolean): void {
    options.onGroup?.({
      batches: group.filter(({ entry }) => entry.type === 'batch').length,
      changes: group.reduce((sum, waiting) => sum + changesOf(waiting), 0),
      milliseconds: clock.monotonic() - startedAt,
      written,
    })
  }

  /** What a record says before its batches: who has become an owner, and how full the disk is where that has changed. */
  function ahead(): Entry[] {
    if (space === undefined || space.level === applier.stored.spaceLevel) return owed
    return [...owed, { type: 'space', level: space.level }]
  }

  /** What is written next, so that what waits behind it waits for little. */
  function nextGroup(): Waiting[] {
    let changes = 0
    let length = 0
    for (const waiting of queue) {
      changes += changesOf(waiting)
      if (length >= groupBatches || (length > 0 && changes > limits.groupChanges)) break
      length++
    }
    return queue.splice(0, length)
  }

  function writeGroup(): void {
    scheduled = false
    const group = nextGroup()
    if (group.length === 0) return
    const startedAt = clock.monotonic()
    const refuseAll = (error: unknown) => {
      measure(group, startedAt, false)
      for (const { entry } of group) if (entry.type === 'assign') owed.push(entry)
      for (const waiting of group) waiting.answer(unavailable(`the disk refused the write: ${messageOf(error)}`))
    }
    const first = ahead()
    const record: StoreRecord = { at: clock.now(), entries: [...first, ...group.map(({ entry }) => entry)] }
    try {
      const { outcomes, topics, thinnedRows, errors } = applier.apply(record)
      for (const error of errors.values()) if (isBroken(error)) options.onBroken?.(error)
      owed = []
      space?.countThinned(thinnedRows)
      options.onApplied?.(record, outcomes)
      engine.flushed().then(() => {
        measure(group, startedAt, true)
        if (topics.size > 0) options.onAppended?.([...topics])
        for (const [at, waiting] of group.entries()) waiting.answer(outcomes[first.length + at] as Outcome)
      }, refuseAll)
      groupBatches = Math.min(limits.groupBatches, 2 * groupBatches)
    } catch (error) {
      if (group.length > 1 && (engine.isNoRoom(error) || isBroken(error))) {
        queue = [...group, ...queue]
        groupBatches = Math.ceil(group.length / 2)
      } else refuseAll(error)
    }
    schedule()
  }

  async function fence(partitions: readonly number[], epochs: readonly number[]): Promise<void> {
    await enqueue({ type: 'assign', partitions, epochs })
  }

  return {
    async commit(batch) {
      if (draining) return unavailable('the store is closing')
      if (queue.length >= limits.commitQueue) return unavailable('too many commits wait for the disk')
      if (space?.admits(batch) === false) return unavailable('the disk is nearly full')
      try {
        sequences.note(batch)
      } catch (error) {
        if (isBroken(error)) options.onBroken?.(error)
        return unavailable(`the batch cannot be stored: ${messageOf(error)}`)
      }
      return enqueue({ type: 'batch', batch })
    },
    epochs: () => epochsOf(applier.stored.epochs),
    fence,
    async keep(days) {
      const { ok } = await enqueue({ type: 'keep', days })
      return ok
    },
    async prune(nowMs) {
      const outcome = await enqueue(pruningAt(nowMs, tables, keptDaysRow.read(engine.reader)))
      return 'removed' in outcome ? outcome.removed : 0
    },
    time: () => storedTimeRow.read(engine.reader),
    async storeTime(time) {
      const { ok } = await enqueue({ type: 'time', time })
      return ok
    },
    async probe() {
      const { ok } = await enqueue({ type: 'probe' })
      return ok
    },
    writeGroup,
    async drain() {
      draining = true
      // Of no partition: it waits for what was accepted before it.
      await fence([], [])
    },
    abandon(error) {
      const dropped = queue
      queue = []
      for (const waiting of dropped) waiting.reject(error)
    },
  }
}
