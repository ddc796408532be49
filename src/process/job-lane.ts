// A lane of jobs: threads of its own, which organizations use in turn, and a time for each job. One that takes longer has failed; what becomes of
// its thread, the lane's threads decide. Where that is the end of the thread, jobs of the same owner are refused for a while.

import type { Logger } from 'pino'
import type { Piscina } from 'piscina'
import { systemClock } from '../runtime/clock.js'
import { createFairQueue, type FairQueueOptions } from '../runtime/thread/fair-queue.js'
import { type JobThreads, sharedThread, threadForEachJob } from './job-threads.js'
import { limits } from './limits.js'
import type { JobLaneStatistics } from './threads.js'

export interface JobLaneOptions {
  readonly name: string
  /** A pool of one thread. */
  readonly createPool: () => Piscina
  /** Many jobs run at once in one thread; otherwise each has a thread to itself. */
  readonly isShared: boolean
  readonly turns: FairQueueOptions
  /** From the start of a job on, that of its thread included. */
  readonly withinMs: number
  /** How long a shared thread may take to answer. */
  readonly answersWithinMs?: number
  /** How long jobs of the owner of one that took too long are refused at first; twice as long after each further one. */
  readonly pauseMs?: number
}

interface Pause {
  readonly milliseconds: number
  /** Monotonic ms. */
  readonly until: number
}

export interface JobLane {
  /**
   * Undefined where as many jobs of the owner, or of all, wait as may, or where one of the owner took too long a while ago. Of members who share
   * the turn of an owner, each has a bound and pauses of its own.
   */
  run(owner: string, task: object, member?: string): Promise<unknown> | undefined
  statistics(): JobLaneStatistics
  stop(): Promise<void>
}

export function createJobLane(options: JobLaneOptions, log: Pick<Logger, 'error'>): JobLane {
  const { name, isShared, withinMs, pauseMs = limits.overtimePauseMs } = options
  const queue = createFairQueue(options.turns)
  const threads = createThreads()
  /** Of owners whose last job took too long; the latest last. */
  const pauses = new Map<string, Pause>()
  let refused = 0
  let overtime = 0

  function createThreads(): JobThreads {
    if (!isShared) return threadForEachJob(newPool)
    return sharedThread(newPool, options.answersWithinMs ?? limits.threadAnswersWithinMs, () =>
      log.error({ lane: name }, 'a job thread no longer answers: it has been replaced, and its jobs have failed'),
    )
  }

  function newPool(): Piscina {
    const made = options.createPool()
    // A thread that ends with jobs ends them too; one that ends without loses nothing. The next job starts another.
    made.on('error', (error: unknown) => log.error({ err: error, lane: name }, 'a job thread has ended'))
    return made
  }

  /** So that an owner does not end one thread after the other. Who has made a shared thread hang is not known. */
  function pause(owner: string): void {
    if (isShared) return
    const milliseconds = Math.min(2 * (pauses.get(owner)?.milliseconds ?? pauseMs / 2), limits.longestOvertimePauseMs)
    pauses.delete(owner)
    if (pauses.size >= limits.pausedOwners) pauses.delete(pauses.keys().next().value as string)
    pauses.set(owner, { milliseconds, until: systemClock.monotonic() + milliseconds })
  }

  function isPaused(owner: string): boolean {
    return (pauses.get(owner)?.until ?? 0) > systemClock.monotonic()
  }

  async function runInTime(owner: string, task: object): Promise<unknown> {
    if (isPaused(owner)) throw new Error('another job of the organization took too long before')
    const { done, giveUp } = threads.start(task)
    const tooLong = new Error(`the job took longer than ${withinMs / 1_000} seconds`)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        overtime++
        log.error({ lane: name, seconds: withinMs / 1_000 }, 'a job took too long')
        pause(owner)
        reject(tooLong)
        giveUp()
      }, withinMs)
    })
    try {
      const value = await Promise.race([done, late])
      pauses.delete(owner)
      return value
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    run(owner, task, member) {
      const whose = member ?? owner
      const started = isPaused(whose) ? undefined : queue.run(owner, () => runInTime(whose, task), member)
      if (started === undefined) refused++
      return started
    },
    statistics: () => ({ lane: name, underWay: queue.underWay, waiting: queue.waiting, refused, overtime }),
    stop: () => threads.stop(),
  }
}
