// The threads that shards run in: a piscina whose tasks never end, with a worker to spare.

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Piscina } from 'piscina'
import { limits } from '../limits.js'
import type { ShardPool } from './supervisor.js'

export interface ShardPoolOptions {
  readonly filename: URL
  /** The function of that module that runs a shard. */
  readonly task: string
  /** The function of that module that does nothing: a worker that has run it has everything loaded. */
  readonly warmUp: string
  readonly shards: number
  /** Heap of one shard; without a bound of its own a shard would take the process's memory, and the process with it. */
  readonly memoryMegabytes: number
  readonly log: Pick<Logger, 'error'>
}

/** Workers that wait with everything loaded: a shard is replaced by one of them at once. */
const spareWorkers = 1
/** How long the end waits for one that is still loading. */
const spareLoadMs = 1_500

export function createShardPool({ filename, task, warmUp, shards, memoryMegabytes, log }: ShardPoolOptions): ShardPool {
  const pool = new Piscina({
    filename: filename.href,
    name: task,
    minThreads: shards,
    maxThreads: shards + spareWorkers,
    concurrentTasksPerWorker: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMegabytes,
      maxYoungGenerationSizeMb: limits.youngGenerationMegabytes,
    },
  })
  // A worker may die after its task has ended, or before it has one: nothing is lost with it, and the pool makes another.
  pool.on('error', (error: unknown) => log.error({ err: error }, 'a worker without a shard has ended'))
  let loading: Promise<unknown> = Promise.resolve()

  return {
    run: (start, transfer, signal) => pool.run(start, { transferList: [...transfer], signal }),
    // The workers there are have a shard each: one that does nothing is run by one more, which stays.
    loadSpare() {
      loading = pool.run(undefined, { name: warmUp })
      return loading
    },
    // A worker that is ended while it loads native code takes the process with it.
    async destroy() {
      const loaded = loading.catch(() => undefined)
      await Promise.race([loaded, delay(spareLoadMs, undefined, { ref: false })])
      await pool.destroy()
    },
  }
}
