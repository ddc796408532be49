// The lanes that jobs run in: payments, papers, certificates, passwords, mail, and calls to addresses that others chose. A job's name says which,
// and its input whose turn it takes (`organization_id`, or `owner` where that is no organization); those of nobody take one turn together.

import type { Logger } from 'pino'
import { Piscina } from 'piscina'
import { paymentJob } from '../actors/guest-session/payment.js'
import { sendMailJob } from '../actors/mail/messages.js'
import { isPasswordJob } from '../jobs/passwords/messages.js'
import { isPrintJob } from '../records/print-jobs.js'
import type { JobOutcome } from '../runtime/actor/actor.js'
import { limits as runtimeLimits } from '../runtime/limits.js'
import { isOutboundJob } from '../runtime/outbound-jobs.js'
import type { Settings } from '../settings.js'
import { createJobLane, type JobLane } from './job-lane.js'
import type { JobTask } from './job-thread.js'
import { limits } from './limits.js'
import type { OutboundTask } from './outbound-thread.js'
import type { JobLaneStatistics, JobThreadStart, OutboundStart } from './threads.js'

export interface JobPools {
  /** Never rejects: a job that was refused, took too long, or whose thread ended, is an outcome like one that failed. */
  runJob(job: string, input: unknown): Promise<JobOutcome>
  statistics(): readonly JobLaneStatistics[]
  /** Ends the threads, and the jobs with them. */
  stop(): Promise<void>
}

const printThreads = 2
/** The one job more that a shared thread has room for. */
const askedWhetherItAnswers = 1
/** Typefaces and libraries that a job thread has loaded are there for the next job. */
const idleJobThreadMs = 60_000

export function createJobPools(settings: Settings, log: Pick<Logger, 'error'>): JobPools {
  const onDemand = {
    filename: new URL('./job-thread.js', import.meta.url).href,
    name: 'runJob',
    minThreads: 0,
    idleTimeout: idleJobThreadMs,
  }
  // These compute, the others mostly wait.
  const inBackground = { ...onDemand, workerData: { niceness: limits.jobNiceness } satisfies JobThreadStart }
  const certificates = createJobLane(
    {
      name: 'certificates',
      isShared: false,
      createPool: () => new Piscina({ ...inBackground, maxThreads: 1 }),
      turns: {
        atOnce: 1,
        atOncePerOwner: 1,
        waitingPerOwner: limits.certificatesPerOrganization,
        waiting: limits.jobQueue,
      },
      withinMs: limits.certificateWithinMs,
    },
    log,
  )
  // A payment waits for no paper, however long that takes to print, nor for payments of another organization.
  const payments = createJobLane(
    {
      name: 'payments',
      isShared: true,
      createPool: () =>
        new Piscina({
          ...onDemand,
          maxThreads: 1,
          concurrentTasksPerWorker: limits.paymentsAtOnce + askedWhetherItAnswers,
          // As below: an answer of the provider is heard although no payment waits.
          atomics: 'disabled',
        }),
      turns: {
        atOnce: limits.paymentsAtOnce,
        atOncePerOwner: limits.paymentsAtOncePerOrganization,
        waitingPerOwner: limits.paymentsPerOrganization,
        waiting: limits.jobQueue,
      },
      withinMs: limits.paymentThreadWithinMs,
    },
    log,
  )
  const printing = createJobLane(
    {
      name: 'documents',
      isShared: false,
      createPool: () => new Piscina({ ...inBackground, maxThreads: 1 }),
      turns: {
        atOnce: printThreads,
        atOncePerOwner: 1,
        waitingPerOwner: limits.printsPerOrganization,
        waiting: limits.jobQueue,
      },
      withinMs: limits.printWithinMs,
    },
    log,
  )
  // One thread, whose jobs follow each other: logins take one core at most, and that at a lower priority.
  const passwords = createJobLane(
    {
      name: 'passwords',
      isShared: true,
      createPool: () =>
        new Piscina({
          ...inBackground,
          maxThreads: 1,
          concurrentTasksPerWorker: limits.passwordsAtOnce + askedWhetherItAnswers,
        }),
      turns: {
        atOnce: limits.passwordsAtOnce,
        atOncePerOwner: limits.passwordsAtOnce,
        waitingPerOwner: limits.passwordsPerNetwork,
        waiting: limits.passwordQueue,
      },
      withinMs: limits.passwordWithinMs,
    },
    log,
  )
  // A mail server that hangs holds up no payment.
  const mail = createJobLane(
    {
      name: 'mail',
      isShared: true,
      createPool: () =>
        new Piscina({
          ...onDemand,
          maxThreads: 1,
          concurrentTasksPerWorker: limits.mailsAtOnce + askedWhetherItAnswers,
          // As below: the end of a connection is seen although no mail waits.
          atomics: 'disabled',
        }),
      turns: {
        atOnce: limits.mailsAtOnce,
        atOncePerOwner: limits.mailsAtOncePerOrganization,
        waitingPerOwner: limits.mailsPerOrganization,
        waiting: limits.jobQueue,
      },
      withinMs: limits.mailThreadWithinMs,
    },
    log,
  )
  const outbound = createJobLane(
    {
      name: 'outbound',
      isShared: true,
      createPool: () =>
        new Piscina({
          filename: new URL('./outbound-thread.js', import.meta.url).href,
          name: 'runOutboundJob',
          minThreads: 0,
          maxThreads: 1,
          idleTimeout: Number.POSITIVE_INFINITY,
          concurrentTasksPerWorker: limits.outboundRequests + askedWhetherItAnswers,
          // Waiting for a job by Atomics would stop the thread's sockets: it would not see that a peer has closed one.
          atomics: 'disabled',
          workerData: { allowInsecure: settings.allow_insecure_webhooks } satisfies OutboundStart,
          resourceLimits: {
            maxOldGenerationSizeMb: limits.outboundHeapMegabytes,
            maxYoungGenerationSizeMb: runtimeLimits.youngGenerationMegabytes,
          },
        }),
      turns: {
        atOnce: limits.outboundRequests,
        atOncePerOwner: limits.outboundRequestsPerOrganization,
        waitingPerOwner: limits.outboundQueuePerOrganization,
        waiting: limits.outboundQueue,
      },
      withinMs: limits.outboundThreadWithinMs,
    },
    log,
  )
  const lanes = [certificates, payments, printing, passwords, mail, outbound]

  function laneOf(job: string): JobLane {
    if (isPrintJob(job)) return printing
    if (isPasswordJob(job)) return passwords
    if (job === paymentJob) return payments
    return job === sendMailJob ? mail : certificates
  }

  function start(job: string, input: unknown): Promise<unknown> | undefined {
    const { organization_id, owner = organization_id ?? '' } = input as {
      readonly organization_id?: string
      readonly owner?: string
    }
    if (isOutboundJob(job)) return outbound.run(owner, { job, input } satisfies OutboundTask)
    return laneOf(job).run(owner, { job, input, settings } satisfies JobTask)
  }

  return {
    async runJob(job, input) {
      try {
        const started = start(job, input)
        if (started === undefined)
          return { ok: false, message: 'too many jobs wait, or one has taken too long', isRefused: true }
        return { ok: true, value: await started }
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) }
      }
    },
    statistics: () => lanes.map((lane) => lane.statistics()),
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()))
    },
  }
}
