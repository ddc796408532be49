// The pools that jobs run in: slow work, mail, and calls to addresses that others chose. A job's name says which.

import type { Logger } from 'pino'
import { Piscina } from 'piscina'
import { sendMailJob } from './actors/mail/messages.js'
import type { JobTask } from './jobs.js'
import type { OutboundTask } from './outbound.js'
import type { JobOutcome } from './runtime/actor.js'
import { limits } from './runtime/limits.js'
import { isOutboundJob } from './runtime/outbound-jobs.js'
import type { Settings } from './settings.js'
import type { OutboundStart } from './threads.js'

export interface JobPools {
  /** Never rejects: a job that was refused, or whose thread ended, is an outcome like one that failed. */
  runJob(job: string, input: unknown): Promise<JobOutcome>
  /** Ends the threads, and the jobs with them. */
  stop(): Promise<void>
}

const jobThreads = 2
/** Typefaces and libraries that a job thread has loaded are there for the next job. */
const idleJobThreadMs = 60_000

export function createJobPools(settings: Settings, log: Pick<Logger, 'error'>): JobPools {
  const onDemand = {
    filename: new URL('./jobs.js', import.meta.url).href,
    name: 'runJob',
    minThreads: 0,
    idleTimeout: idleJobThreadMs,
    maxQueue: limits.jobQueue,
  }
  const slow = new Piscina({ ...onDemand, maxThreads: jobThreads })
  // A mail server that hangs holds up no payment.
  const mail = new Piscina({
    ...onDemand,
    maxThreads: 1,
    concurrentTasksPerWorker: limits.mailsAtOnce,
    // As below: the end of a connection is seen although no mail waits.
    atomics: 'disabled',
  })
  const outbound = new Piscina({
    filename: new URL('./outbound.js', import.meta.url).href,
    name: 'runOutboundJob',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: limits.outboundRequests,
    maxQueue: limits.outboundQueue,
    // Waiting for a job by Atomics would stop the thread's sockets: it would not see that a peer has closed one.
    atomics: 'disabled',
    workerData: { allowInsecure: settings.allow_insecure_webhooks } satisfies OutboundStart,
    resourceLimits: {
      maxOldGenerationSizeMb: limits.outboundHeapMegabytes,
      maxYoungGenerationSizeMb: limits.youngGenerationMegabytes,
    },
  })
  // A thread that ends with jobs ends them too; one that ends without is replaced as well, and loses nothing.
  for (const pool of [slow, mail, outbound])
    pool.on('error', (error: unknown) => log.error({ err: error }, 'a job thread has ended'))

  return {
    async runJob(job, input) {
      try {
        const value: unknown = isOutboundJob(job)
          ? await outbound.run({ job, input } satisfies OutboundTask)
          : await (job === sendMailJob ? mail : slow).run({ job, input, settings } satisfies JobTask)
        return { ok: true, value }
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) }
      }
    },
    async stop() {
      await Promise.all([slow, mail, outbound].map((pool) => pool.destroy()))
    },
  }
}
