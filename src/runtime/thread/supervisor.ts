// Keeps shards alive: each is a task of a pool that never ends, and its ending is the signal to start another.
// A shard that spins shows no sign of life and is ended; one that cannot stay up takes the process down, with a clear line.

import type { TransferListItem } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Clock } from '../clock.js'
import { delay } from '../delay.js'

/** Threads for shards. */
export interface ShardPool {
  /** Settles when the shard's thread has ended, with why; the signal ends it. */
  run(task: object, transfer: readonly TransferListItem[], signal: AbortSignal): Promise<unknown>
  /** Has one more thread load everything that a shard runs, and wait. */
  loadSpare(): Promise<unknown>
  /** Ends all of them. */
  destroy(): Promise<void>
}

export interface SupervisorOptions {
  readonly pool: ShardPool
  readonly shards: number
  readonly stuckAfterMs: number
  readonly clock: Clock
  readonly log: Logger
  /** Prepares the links of a shard that is about to start; the previous one, if any, has ended. */
  readonly prepare: (
    shard: number,
  ) => Promise<{ readonly task: object; readonly transfer: readonly TransferListItem[] }>
  readonly giveUp: (reason: string) => void
  /** How long after the start of a shard a spare worker is loaded. */
  readonly spareAfterMs?: number
}

export interface Supervisor {
  start(): void
  /** Lets shards end without being replaced. */
  stop(): Promise<void>
  readonly restarts: number
  alive(shard: number): boolean
}

/** What is known of a shard's event loop, in monotonic ms. */
interface Signs {
  readonly counter: number
  /** When its counter was seen to have moved, first and last since the start. */
  readonly firstAt: number | undefined
  readonly lastAt: number
  /** Since when, and for how long, another move is waited for. */
  readonly since: number
  readonly patienceMs: number
}

function noSigns(counter: number, since: number, patienceMs: number): Signs {
  return { counter, firstAt: undefined, lastAt: since, since, patienceMs }
}

function servedBy(signs: Signs | undefined): number {
  return signs?.firstAt === undefined ? 0 : Math.round(signs.lastAt - signs.firstAt)
}

const watchEveryMs = 250
/** A shard whose loop has turned for so long came up: its end begins a new row. */
const settledAfterMs = 5_000
/** A shard that starts on a busy machine takes its time until its loop turns. */
const startsWithinMs = 10_000
/** A start that just began has better things to do than to load a spare worker. */
const usualSpareAfterMs = 10_000
const deathsBeforeGivingUp = 10
const longestBackOffMs = 1_000

/** `alive` holds one counter a shard, which the shard raises as long as its event loop turns. */
export function createSupervisor(options: SupervisorOptions, alive: Int32Array): Supervisor {
  const { shards, clock, log, pool, spareAfterMs = usualSpareAfterMs } = options
  const aborts = new Array<AbortController | undefined>(shards).fill(undefined)
  const seen = Array.from({ length: shards }, () => noSigns(0, 0, 0))
  let restarts = 0
  let stopping = false
  let watch: NodeJS.Timeout | undefined
  let spare: NodeJS.Timeout | undefined

  function loadSpare(): void {
    pool.loadSpare().catch((error: unknown) => {
      if (!stopping) log.error({ err: error }, 'a spare worker could not be started')
    })
  }

  async function keepAlive(shard: number): Promise<void> {
    for (let deaths = 0; !stopping; ) {
      const startedAt = clock.monotonic()
      const reason = await runOnce(shard)
      if (stopping) return
      const livedMs = Math.round(clock.monotonic() - startedAt)
      const servedMs = servedBy(seen[shard])
      // A hang takes its time until it is noticed: only what the shard has served counts.
      deaths = servedMs > settledAfterMs ? 1 : deaths + 1
      restarts++
      log.error({ shard, reason, livedMs, servedMs, deaths }, 'a shard has ended and is replaced')
      if (deaths >= deathsBeforeGivingUp)
        return options.giveUp(`shard ${shard} ended ${deaths} times in a row: ${reason}`)
      if (deaths > 1) await delay(Math.min(longestBackOffMs, 10 * 2 ** deaths))
    }
  }

  async function runOnce(shard: number): Promise<string> {
    const abort = new AbortController()
    try {
      const { task, transfer } = await options.prepare(shard)
      aborts[shard] = abort
      const patienceMs = Math.max(options.stuckAfterMs, startsWithinMs)
      seen[shard] = noSigns(Atomics.load(alive, shard), clock.monotonic(), patienceMs)
      clearTimeout(spare)
      spare = setTimeout(loadSpare, spareAfterMs)
      await pool.run(task, transfer, abort.signal)
      return 'its task returned'
    } catch (thrown) {
      const error: unknown = abort.signal.aborted ? abort.signal.reason : thrown
      return error instanceof Error ? error.message : String(error)
    } finally {
      aborts[shard] = undefined
    }
  }

  /** Ends shards whose loop has not turned for too long. */
  function look(): void {
    const now = clock.monotonic()
    for (let shard = 0; shard < shards; shard++) {
      const counter = Atomics.load(alive, shard)
      const last = seen[shard]
      if (last === undefined || last.counter !== counter)
        seen[shard] = {
          counter,
          firstAt: last?.firstAt ?? now,
          lastAt: now,
          since: now,
          patienceMs: options.stuckAfterMs,
        }
      else if (now - last.since > last.patienceMs) {
        seen[shard] = { ...last, since: now }
        aborts[shard]?.abort(new Error('it showed no sign of life'))
      }
    }
  }

  return {
    start() {
      for (let shard = 0; shard < shards; shard++) void keepAlive(shard)
      watch = setInterval(look, watchEveryMs)
    },
    async stop() {
      stopping = true
      clearInterval(watch)
      clearTimeout(spare)
      await pool.destroy()
    },
    get restarts() {
      return restarts
    },
    alive: (shard) => aborts[shard] !== undefined,
  }
}
