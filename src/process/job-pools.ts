// The pools that jobs run in: payments, papers, other slow work, mail, and calls to addresses that others chose. A job's name says which.

import type { Logger } from 'pino'
import { Piscina } from 'piscina'
import { paymentJob } from '../actors/guest-session/payment.js'
import { sendMailJob } from '../actors/mail/messages.js'
import { isPrintJob, type PrintInput } from '../records/print-jobs.js'
import type { JobOutcome } from '../runtime/actor/actor.js'
import { limits as runtimeLimits } from '../runtime/limits.js'
import { isOutboundJob } from '../runtime/outbound-jobs.js'
import { createFairQueue } from '../runtime/thread/fair-queue.js'
import type { Settings } from '../settings.js'
import type { JobTask } from './job-thread.js'
import { limits } from './limits.js'
import type { OutboundTask } from './outbound-thread.js'
import type { OutboundStart } from './threads.js'

export interface JobPools {
  /** Never rejects: a job that was refused, or whose thread ended, is an outcome like one that failed. */
  runJob(job: string, input: unknown): Promise<JobOutcome>
  /** Ends the threads, and the jobs with them. */
  stop(): Promise<void>
}

const printThreads = 2
/** Typefaces and libraries that a job thread has loaded are there for the next job. */
const idleJobThreadMs = 60_000

export function createJobPools(settings: Settings, log: Pick<Logger, 'error'>): JobPools {
  const onDemand = {
    filename: new URL('./job-thread.js', import.meta.url).href,
    name: 'runJob',
    minThreads: 0,
    idleTimeout: idleJobThreadMs,
    maxQueue: limits.jobQueue,
  }
  const slow = new Piscina({ ...onDemand, maxThreads: 1 })
  // A payment waits for no paper, however long that takes to print, nor for another payment.
  const payments = new Piscina({
    ...onDemand,
    maxThreads: 1,
    concurrentTasksPerWorker: limits.paymentsAtOnce,
    // As below: an answer of the provider is heard although no payment waits.
    atomics: 'disabled',
  })
  const printing = new Piscina({ ...onDemand, maxThreads: printThreads })
  const printQueue = createFairQueue({
    atOnce: printThreads,
    waitingPerOwner: limits.printsPerOrganization,
    waiting: limits.jobQueue,
  })
  // A mail server that hangs holds up no payment.
  const mail = new Piscina({
    ...onDemand,
    maxThreads: 1,
    concurrentTasksPerWorker: limits.mailsAtOnce,
    // As below: the end of a connection is seen although no mail waits.
    atomics: 'disabled',
  })
  const outbound = new Piscina({
    filename: new URL('./outbound-thread.js', import.meta.url).href,
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
      maxYoungGenerationSizeMb: runtimeLimits.youngGenerationMegabytes,
    },
  })
  // A thread that ends with jobs ends them too; one that ends without loses nothing. The next job starts another.
  const pools = [slow, payments, printing, mail, outbound]
  for (const pool of pools) pool.on('error', (error: unknown) => log.error({ err: error }, 'a job thread has ended'))

  function start(job: string, input: unknown): Promise<unknown> | undefined {
    const task = { job, input, settings } satisfies JobTask
    if (isOutboundJob(job)) return outbound.run({ job, input } satisfies OutboundTask)
    if (isPrintJob(job)) return printQueue.run((input as PrintInput).organization_id, () => printing.run(task))
    if (job === paymentJob) return payments.run(task)
    return (job === sendMailJob ? mail : slow).run(task)
  }

  return {
    async runJob(job, input) {
      try {
        const started = start(job, input)
        if (started === undefined) return { ok: false, message: 'too many jobs wait', isRefused: true }
        return { ok: true, value: await started }
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) }
      }
    },
    async stop() {
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}
