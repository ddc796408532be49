// The writer's queue: what waits is written together, in one transaction, and answered once the disk has it.
// Fences, bounds and refusals live here, the same for every engine; it never reads a row for anyone.

import { assert, isBroken } from '../../assert.js'
import { type Clock, systemClock } from '../../clock.js'
import { encodeRow } from '../../codec.js'
import { limits } from '../../limits.js'
import type { ChangeBatch, CommitResult } from '../store.js'
import { createAppendLogs } from './append-log.js'
import { applyBatch } from './apply-batch.js'
import { type ByteTransaction, metaDatabase, type Tables, tableFinder } from './byte-store.js'
import { type TotalDeltas, writeTotals } from './index-entries.js'
import { encodeKey } from './key-bytes.js'
import { pruneRows } from './retention.js'
import { createSequences } from './sequences.js'
import type { Space } from './space.js'
import type { GroupMeasure } from './store-writer.js'

export interface Engine {
  /** Runs `work` and commits, or throws and changes nothing. */
  transaction(work: (transaction: ByteTransaction) => void): void
  /** Resolves when everything committed is on disk. */
  flushed(): Promise<void>
  /** Whether an error came from the engine (a full disk), and not from what a batch carries. */
  isEngineError(error: unknown): boolean
  /** Whether a transaction was refused for its size alone: a smaller one may fit. */
  isNoRoom(error: unknown): boolean
}

export interface GroupCommit {
  commit(batch: ChangeBatch): Promise<CommitResult>
  fence(partition: number, epoch: number): Promise<void>
  prune(nowMs: number): Promise<number>
  probe(): Promise<boolean>
  /** Writes one group of what waits. */
  writeGroup(): void
  /** Refuses new batches; resolves when all accepted ones are answered. */
  drain(): Promise<void>
  /** Drops everything that waits, as a dying process would, and rejects its promises. */
  abandon(error: Error): void
}

interface Waiting {
  /** Undefined for what is no batch: a fence or a pruning. */
  readonly changes: number | undefined
  apply(transaction: ByteTransaction, deltas: TotalDeltas): void
  settle(): void
  refuse(message: string): void
  reject(error: Error): void
}

export interface GroupCommitOptions {
  readonly clock?: Clock | undefined
  readonly onGroup?: ((measure: GroupMeasure) => void) | undefined
  readonly space?: Space | undefined
  /** Numbers in [0, 1), for ids; Math.random unless given. */
  readonly random?: (() => number) | undefined
  /** Told of an assertion that has failed for a batch; the batch alone is refused. */
  readonly onBroken?: ((error: Error) => void) | undefined
  /** Told the topics of what a group has added to tables that are followed, once the disk has it. */
  readonly onAppended?: ((topics: readonly string[]) => void) | undefined
  /** Calls `writeGroup` soon. What arrives before it does joins the group. */
  schedule(writeGroup: () => void): void
}

const probedAtKey = encodeKey(['probed_at'])

function unavailable(message: string): CommitResult {
  return { ok: false, reason: 'storage_unavailable', message }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Applies a group in one transaction; what cannot be stored is left out and returned with the reason. */
function applyGroup(engine: Engine, group: readonly Waiting[], begin: () => void): Map<Waiting, unknown> {
  const leftOut = new Map<Waiting, unknown>()
  for (;;) {
    const leftOutBefore = leftOut.size
    try {
      engine.transaction((transaction) => {
        begin()
        const deltas: TotalDeltas = new Map()
        for (const waiting of group) {
          if (leftOut.has(waiting)) continue
          try {
            waiting.apply(transaction, deltas)
          } catch (error) {
            // Half of it may be written: roll all of the group back and write it again without this one.
            if (!engine.isEngineError(error)) leftOut.set(waiting, error)
            throw error
          }
        }
        try {
          writeTotals(transaction, deltas)
        } catch (error) {
          // Which of many it was shows in smaller groups.
          if (isBroken(error)) for (const waiting of alone(group, leftOut)) leftOut.set(waiting, error)
          throw error
        }
      })
      return leftOut
    } catch (error) {
      if (leftOut.size === leftOutBefore) throw error
    }
  }
}

/** The one that is left of a group, if it is but one. */
function alone(group: readonly Waiting[], leftOut: ReadonlyMap<Waiting, unknown>): readonly Waiting[] {
  const left = group.filter((waiting) => !leftOut.has(waiting))
  return left.length === 1 ? left : []
}

export function groupCommit(engine: Engine, tables: Tables, options: GroupCommitOptions): GroupCommit {
  const clock = options.clock ?? systemClock
  const tableOf = tableFinder(tables)
  const logs = createAppendLogs(clock, options.random ?? Math.random)
  const epochs = new Map<number, number>()
  const sequences = createSequences()
  let queue: Waiting[] = []
  let scheduled = false
  let groupBatches: number = limits.groupBatches
  let draining = false

  function schedule(): void {
    if (scheduled || queue.length === 0) return
    scheduled = true
    options.schedule(writeGroup)
  }

  function enqueue<Result>(
    work: (transaction: ByteTransaction, deltas: TotalDeltas) => Result,
    refused: (message: string) => Result,
    changes?: number,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result
      let answered = false
      const answer = (say: () => void): void => {
        assert(!answered, 'what waits for the disk is answered once')
        answered = true
        say()
      }
      queue.push({
        changes,
        apply: (transaction, deltas) => {
          assert(!answered, 'what has been answered is not written')
          result = work(transaction, deltas)
        },
        settle: () => answer(() => resolve(result)),
        refuse: (message) => answer(() => resolve(refused(message))),
        reject: (error) => answer(() => reject(error)),
      })
      schedule()
    })
  }

  /** For what is wrong with a batch itself; the others go on. */
  function reasonOf(error: unknown): string {
    if (isBroken(error)) options.onBroken?.(error)
    return `the batch cannot be stored: ${messageOf(error)}`
  }

  function measure(group: readonly Waiting[], startedAt: number, written: boolean): void {
    const batches = group.filter((waiting) => waiting.changes !== undefined)
    options.onGroup?.({
      batches: batches.length,
      changes: batches.reduce((sum, waiting) => sum + (waiting.changes ?? 0), 0),
      milliseconds: clock.monotonic() - startedAt,
      written,
    })
  }

  function writeGroup(): void {
    scheduled = false
    const group = queue.splice(0, groupBatches)
    if (group.length === 0) return
    const startedAt = clock.monotonic()
    const refuseAll = (error: unknown) => {
      measure(group, startedAt, false)
      for (const waiting of group) waiting.refuse(`the disk refused the write: ${messageOf(error)}`)
    }
    try {
      const leftOut = applyGroup(engine, group, logs.begin)
      const topics = [...logs.topics]
      engine.flushed().then(() => {
        measure(group, startedAt, true)
        if (topics.length > 0) options.onAppended?.(topics)
        for (const waiting of group) {
          if (leftOut.has(waiting)) waiting.refuse(reasonOf(leftOut.get(waiting)))
          else waiting.settle()
        }
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

  return {
    async commit(batch) {
      if (draining) return unavailable('the store is closing')
      if (queue.length >= limits.commitQueue) return unavailable('too many commits wait for the disk')
      if (options.space?.admits(batch) === false) return unavailable('the disk is nearly full')
      const newest = epochs.get(batch.partition) ?? batch.epoch
      if (batch.epoch < newest) return { ok: false, reason: 'stale_epoch' }
      try {
        sequences.note(batch)
      } catch (error) {
        return unavailable(reasonOf(error))
      }
      // A newer owner's first batch is as good as a fence.
      epochs.set(batch.partition, batch.epoch)
      return enqueue(
        (transaction, deltas) => applyBatch(transaction, tableOf, batch, deltas, { space: options.space, logs }),
        unavailable,
        batch.changes.length,
      )
    },
    fence(partition, epoch) {
      epochs.set(partition, Math.max(epoch, epochs.get(partition) ?? epoch))
      return enqueue<void>(
        () => undefined,
        () => undefined,
      )
    },
    prune(nowMs) {
      return enqueue(
        (transaction, deltas) => pruneRows(transaction, tables, nowMs, deltas),
        () => 0,
      )
    },
    async probe() {
      const time = encodeRow(clock.now())
      return enqueue(
        (transaction) => {
          transaction.put(metaDatabase, probedAtKey, time)
          return true
        },
        () => false,
      )
    },
    writeGroup,
    async drain() {
      draining = true
      await enqueue<void>(
        () => undefined,
        () => undefined,
      )
    },
    abandon(error) {
      const dropped = queue
      queue = []
      for (const waiting of dropped) waiting.reject(error)
    },
  }
}
