// The lanes that jobs run in: payments, papers, certificates, requests of charge points for certificates, passwords, mail, calls to addresses
// that others chose, and calls to roaming partners. A job's name says which, and its input whose turn it takes (`organization_id`, or `owner` where
// that is no organization); those of nobody take one turn together, and so do certificates and papers of installers, who take turns in it: anybody may have many accounts.

import type { Logger } from 'pino'
import { Piscina } from 'piscina'
import { signCertificateJob } from '../actors/charge-point/messages.js'
import { paymentJob } from '../actors/guest-session/payment.js'
import { sendMailJob } from '../actors/mail/messages.js'
import { isPasskeyJob } from '../jobs/passkeys/messages.js'
import { isPasswordJob } from '../jobs/passwords/messages.js'
import { isSingleSignOnJob } from '../jobs/single-sign-on/messages.js'
import { type OcpiAuthorization, ocpiAuthorizeJob } from '../ocpi/authorization-call.js'
import { ocpiCallJob } from '../ocpi/call.js'
import { isInstallerId } from '../records/installer.js'
import { isPrintJob } from '../records/print-jobs.js'
import type { JobOutcome } from '../runtime/actor/actor.js'
import { systemClock } from '../runtime/clock.js'
import { limits as runtimeLimits } from '../runtime/limits.js'
import { isOutboundJob } from '../runtime/outbound-jobs.js'
import type { FairQueueOptions } from '../runtime/thread/fair-queue.js'
import type { Settings } from '../settings.js'
import { createJobLane, type JobLane, type JobLaneOptions } from './job-lane.js'
import type { JobTask } from './job-thread.js'
import { limits } from './limits.js'
import { createOcpiAuthorizations } from './ocpi-authorizations.js'
import type { OutboundTask } from './outbound-thread.js'
import { type JobLaneStatistics, type JobThreadStart, type OutboundStart, signWhereMadeJob } from './threads.js'

export interface JobPools {
  /** Never rejects: a job that was refused, took too long, or whose thread ended, is an outcome like one that failed. */
  runJob(job: string, input: unknown): Promise<JobOutcome>
  statistics(): readonly JobLaneStatistics[]
  /** Ends the threads, and the jobs with them. */
  stop(): Promise<void>
}

const printThreads = 2
/** Whose turn all installers take together. */
const installers = 'installers'
/** The one job more that a shared thread has room for. */
const askedWhetherItAnswers = 1
/** Typefaces and libraries that a job thread has loaded are there for the next job. */
const idleJobThreadMs = 60_000

type PoolOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>
type LaneKind = Pick<JobLaneOptions, 'isShared' | 'createPool'>

const jobThread: PoolOptions = {
  filename: new URL('./job-thread.js', import.meta.url).href,
  name: 'runJob',
  minThreads: 0,
  idleTimeout: idleJobThreadMs,
}

/** Jobs that compute: each has a thread to itself, of a lower priority than what charge points wait for. */
function computing(): LaneKind {
  const workerData = { niceness: limits.jobNiceness } satisfies JobThreadStart
  return { isShared: false, createPool: () => new Piscina({ ...jobThread, maxThreads: 1, workerData }) }
}

/** Jobs that compute and are short: they follow each other in one thread of a lower priority. */
function computingInOneThread(atOnce: number): LaneKind {
  const workerData = { niceness: limits.jobNiceness } satisfies JobThreadStart
  const pool = { ...jobThread, maxThreads: 1, concurrentTasksPerWorker: atOnce + askedWhetherItAnswers, workerData }
  return { isShared: true, createPool: () => new Piscina(pool) }
}

/** Jobs that mostly wait: so many at once in one thread. */
function waitingInOneThread(atOnce: number, thread: PoolOptions): LaneKind {
  const pool = {
    ...thread,
    maxThreads: 1,
    concurrentTasksPerWorker: atOnce + askedWhetherItAnswers,
    // Waiting for a job by Atomics would stop the thread's sockets: it would not hear an answer, nor see that a peer has closed one.
    atomics: 'disabled',
  } as const
  return { isShared: true, createPool: () => new Piscina(pool) }
}

export function createJobPools(settings: Settings, log: Pick<Logger, 'error'>): JobPools {
  const outboundThread: PoolOptions = {
    filename: new URL('./outbound-thread.js', import.meta.url).href,
    name: 'runOutboundJob',
    minThreads: 0,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: { allowInsecure: settings.allow_insecure_webhooks, data: settings.data } satisfies OutboundStart,
    resourceLimits: {
      maxOldGenerationSizeMb: limits.outboundHeapMegabytes,
      maxYoungGenerationSizeMb: runtimeLimits.youngGenerationMegabytes,
    },
  }
  const lane = (name: string, kind: LaneKind, turns: FairQueueOptions, withinMs: number): JobLane =>
    createJobLane({ name, ...kind, turns, withinMs }, log)

  const oneCertificateAtOnce = {
    atOnce: 1,
    atOncePerOwner: 1,
    waitingPerOwner: limits.certificatesPerOrganization,
    waitingPerMember: limits.jobsOfInstaller,
    waiting: limits.jobQueue,
  }
  const certificates = lane('certificates', computing(), oneCertificateAtOnce, limits.certificateWithinMs)
  // A charge point waits for its certificate for seconds, and for no key that the service makes.
  const signatures = lane('signatures', computing(), oneCertificateAtOnce, limits.certificateWithinMs)
  const documents = lane(
    'documents',
    computing(),
    {
      atOnce: printThreads,
      atOncePerOwner: 1,
      waitingPerOwner: limits.printsPerOrganization,
      waitingPerMember: limits.jobsOfInstaller,
      waiting: limits.jobQueue,
    },
    limits.printWithinMs,
  )
  // A payment waits for no paper, however long that takes to print, nor for payments of another organization.
  const payments = lane(
    'payments',
    waitingInOneThread(limits.paymentsAtOnce, jobThread),
    {
      atOnce: limits.paymentsAtOnce,
      atOncePerOwner: limits.paymentsAtOncePerOrganization,
      waitingPerOwner: limits.paymentsPerOrganization,
      waiting: limits.jobQueue,
    },
    limits.paymentThreadWithinMs,
  )
  // Logins take one core at most.
  const passwords = lane(
    'passwords',
    computingInOneThread(limits.passwordsAtOnce),
    {
      atOnce: limits.passwordsAtOnce,
      atOncePerOwner: limits.passwordsAtOnce,
      waitingPerOwner: limits.passwordsPerNetwork,
      waiting: limits.passwordQueue,
    },
    limits.passwordWithinMs,
  )
  // Nor does an identity provider that hangs hold up a mail.
  const signIns = lane(
    'sign_ins',
    waitingInOneThread(limits.signInsAtOnce, jobThread),
    {
      atOnce: limits.signInsAtOnce,
      atOncePerOwner: limits.signInsAtOncePerNetwork,
      waitingPerOwner: limits.signInsPerNetwork,
      waiting: limits.jobQueue,
    },
    limits.signInThreadWithinMs,
  )
  // A mail server that hangs holds up no payment.
  const mail = lane(
    'mail',
    waitingInOneThread(limits.mailsAtOnce, jobThread),
    {
      atOnce: limits.mailsAtOnce,
      atOncePerOwner: limits.mailsAtOncePerOrganization,
      waitingPerOwner: limits.mailsPerOrganization,
      waiting: limits.jobQueue,
    },
    limits.mailThreadWithinMs,
  )
  const outbound = lane(
    'outbound',
    waitingInOneThread(limits.outboundRequests, outboundThread),
    {
      atOnce: limits.outboundRequests,
      atOncePerOwner: limits.outboundRequestsPerOrganization,
      waitingPerOwner: limits.outboundQueuePerOrganization,
      waiting: limits.outboundQueue,
    },
    limits.outboundThreadWithinMs,
  )
  // In a thread of its own: what webhooks and partners do to it stays with them. A partner that hangs has its own places alone.
  const partners = lane(
    'partners',
    waitingInOneThread(limits.ocpiCalls, outboundThread),
    {
      atOnce: limits.ocpiCalls,
      atOncePerOwner: limits.ocpiCallsPerPartner,
      waitingPerOwner: limits.ocpiQueuePerPartner,
      waiting: limits.ocpiQueue,
    },
    limits.outboundThreadWithinMs,
  )
  const lanes = [certificates, signatures, documents, payments, passwords, signIns, mail, outbound, partners]

  function laneOf(job: string): JobLane {
    if (isPrintJob(job)) return documents
    if (isPasswordJob(job) || isPasskeyJob(job)) return passwords
    if (isSingleSignOnJob(job)) return signIns
    if (job === paymentJob) return payments
    return job === sendMailJob ? mail : certificates
  }

  function runInTurn(lane: JobLane, owner: string, task: JobTask): Promise<unknown> | undefined {
    // Each would have a turn otherwise: some 20 accounts would fill the lane of everybody.
    const isShared = lane === certificates || lane === signatures || lane === documents
    return isShared && isInstallerId(owner) ? lane.run(installers, task, owner) : lane.run(owner, task)
  }

  /** Where there is no authority yet, the thread for certificates makes it: two would be in each other's way. */
  function sign(owner: string, input: unknown): Promise<unknown> | undefined {
    const run = (lane: JobLane, job: string) => runInTurn(lane, owner, { job, input, settings })
    return run(signatures, signWhereMadeJob)?.then((signed) => {
      const signing = signed ?? run(certificates, signCertificateJob)
      if (signing === undefined) throw new Error('too many certificates wait to be made')
      return signing
    })
  }

  function start(job: string, input: unknown): Promise<unknown> | undefined {
    const { organization_id, owner = organization_id ?? '' } = input as {
      readonly organization_id?: string
      readonly owner?: string
    }
    if (job === ocpiAuthorizeJob) return authorizations.ask(input as OcpiAuthorization)
    if (job === ocpiCallJob) return partners.run(owner, { job, input } satisfies OutboundTask)
    if (isOutboundJob(job)) return outbound.run(owner, { job, input } satisfies OutboundTask)
    if (job === signCertificateJob) return sign(owner, input)
    return runInTurn(laneOf(job), owner, { job, input, settings })
  }

  async function runJob(job: string, input: unknown): Promise<JobOutcome> {
    try {
      const started = start(job, input)
      if (started === undefined)
        return { ok: false, message: 'too many jobs wait, or one has taken too long', isRefused: true }
      return { ok: true, value: await started }
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) }
    }
  }

  // Each of its calls is one of the lane of partners.
  const authorizations = createOcpiAuthorizations((call) => runJob(ocpiCallJob, call), systemClock)

  return {
    runJob,
    statistics: () => lanes.map((lane) => lane.statistics()),
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()))
    },
  }
}
