// A lane of jobs: threads of its own, which organizations use in turn, and a time for each job. One that takes longer ends, and the threads of
// the lane with it, whatever else runs in them; the next job starts others.

import type { Logger } from 'pino'
import type { Piscina } from 'piscina'
import { createFairQueue, type FairQueueOptions } from '../runtime/thread/fair-queue.js'
import type { JobLaneStatistics } from './threads.js'

export interface JobLaneOptions {
  readonly name: string
  readonly createPool: () => Piscina
  readonly turns: FairQueueOptions
  /** From the start of a job on, that of its thread included. */
  readonly withinMs: number
}

export interface JobLane {
  /** Undefined where as many jobs of the owner, or of all, wait as may. */
  run(owner: string, task: object): Promise<unknown> | undefined
  statistics(): JobLaneStatistics
  stop(): Promise<void>
}

export function createJobLane(
  { name, createPool, turns, withinMs }: JobLaneOptions,
  log: Pick<Logger, 'error'>,
): JobLane {
  const queue = createFairQueue(turns)
  let pool = newPool()
  let refused = 0
  let overtime = 0

  function newPool(): Piscina {
    const made = createPool()
    // A thread that ends with jobs ends them too; one that ends without loses nothing. The next job starts another.
    made.on('error', (error: unknown) => log.error({ err: error, lane: name }, 'a job thread has ended'))
    return made
  }

  /** No thread of it can be told to stop: a job that never lets go of its thread hears nothing. */
  function replace(hanging: Piscina): void {
    if (hanging !== pool) return
    pool = newPool()
    void hanging.destroy()
  }

  async function runInTime(task: object): Promise<unknown> {
    const used = pool
    const tooLong = new Error(`the job took longer than ${withinMs / 1_000} seconds`)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        overtime++
        log.error({ lane: name, seconds: withinMs / 1_000 }, 'a job took too long: its threads have been replaced')
        reject(tooLong)
        replace(used)
      }, withinMs)
    })
    try {
      return await Promise.race([used.run(task), late])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    run(owner, task) {
      const started = queue.run(owner, () => runInTime(task))
      if (started === undefined) refused++
      return started
    },
    statistics: () => ({ lane: name, underWay: queue.underWay, waiting: queue.waiting, refused, overtime }),
    stop: () => pool.destroy(),
  }
}
