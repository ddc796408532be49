// Bounds of the pools of jobs, and of what is done for all organizations.

import { limits as tokens } from '../actors/ocpi-tokens/limits.js'
import { limits as webhook } from '../actors/webhook-endpoint/limits.js'
import { limits as ocpi } from '../jobs/ocpi/limits.js'
import { limits as outbound } from '../jobs/outbound/limits.js'
import { limits as payments } from '../jobs/payments/limits.js'
import { defineLimits } from '../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Organizations whose months and weeks are looked at before a front goes on with other work: dates in time zones take long. */
    organizationsPerStep: 25,
    /** Series of the installation that are kept for a day, of 37 KB each. */
    installationSeries: 500,
    /** Load runs that are shown while they run, and after how long without a report one is taken for dead. */
    runningLoadRuns: 20,
    loadRunSilenceMs: 60_000,
    /** Files of one folder of the data directory that the operator has put there, and the size of one. */
    jsonFiles: 200,
    jsonFileBytes: 262_144,
    /** Actors, and charge points, that a line of the log names of those that kept a front from ending in time. */
    namedAtTheEnd: 5,
    /** Of the threads that print and sign. */
    jobNiceness: 5,
    /** How long a thread that many jobs share may take to answer when one of them is late, before it is replaced. */
    threadAnswersWithinMs: 10_000,
    /** How long jobs of the owner of one that took too long are refused at first, and at most; owners of whom that is remembered. */
    overtimePauseMs: 60_000,
    longestOvertimePauseMs: 900_000,
    pausedOwners: 10_000,
    /** Jobs waiting in one lane of jobs. */
    jobQueue: 1_000,
    /** Jobs of one installer that wait in a lane where all installers share a turn. */
    jobsOfInstaller: 3,
    /** Certificate requests of one organization that wait, and how long one may take. */
    certificatesPerOrganization: 50,
    certificateWithinMs: 15_000,
    /** Passwords that are handed to their thread, which hashes one after the other; those that wait, of all and of one network; and how long one may take. */
    passwordsAtOnce: 2,
    passwordQueue: 500,
    passwordsPerNetwork: 100,
    passwordWithinMs: 10_000,
    /** Receipts and invoices of one organization that wait to be printed, and how long one may take. */
    printsPerOrganization: 50,
    printWithinMs: 60_000,
    /** Conversations with the identity provider at the same time, of all networks and of one, and of that one waiting; and when their thread is asked whether it still answers. */
    signInsAtOnce: 32,
    signInsAtOncePerNetwork: 8,
    signInsPerNetwork: 50,
    signInThreadWithinMs: 90_000,
    /** Requests to the payment provider at the same time: of all organizations, of one of them, and of that one waiting. */
    paymentsAtOnce: 32,
    paymentsAtOncePerOrganization: 8,
    paymentsPerOrganization: 250,
    /** After that time their thread is asked whether it still answers: each has given up by itself before. */
    paymentThreadWithinMs: 90_000,
    /** Calls to addresses that others chose: in the outbound thread at once, and waiting to get there, of all and of one organization. */
    outboundRequests: 10_000,
    outboundRequestsPerOrganization: 2_500,
    outboundQueue: 1_000,
    outboundQueuePerOrganization: 250,
    /** Calls to roaming partners at the same time, of all and of one; those that wait, of all and of one. */
    ocpiCalls: 2_000,
    ocpiCallsPerPartner: 48,
    ocpiQueue: 4_000,
    ocpiQueuePerPartner: 250,
    /** Questions in a row that a partner has not answered, after which it is not asked for a while, at first and at most; partners of whom that is remembered. */
    ocpiSilentAnswers: 3,
    ocpiSilenceMs: 5_000,
    ocpiLongestSilenceMs: 60_000,
    ocpiSilentPartners: 10_000,
    /** As for payments: each waits for its turn at its origin, and then takes as long as it may. */
    outboundThreadWithinMs: 150_000,
    /** Heap of the outbound thread, over which it is replaced. */
    outboundHeapMegabytes: 1_024,
    /** Free space with which a disk that refused writes is tried again. */
    writableSpaceBytes: 1_048_576,
    /** Mails that are handed to the mail server at the same time, of all organizations and of one of them; the others wait. */
    mailsAtOnce: 8,
    mailsAtOncePerOrganization: 4,
    mailsPerOrganization: 500,
    /** As for payments. */
    mailThreadWithinMs: 330_000,
  },
  (bounds) => [
    [ocpi.ocpiObjectsPerText <= tokens.tokensPerTurn, 'tokens that come together can be stored in one turn'],
    [
      outbound.outboundWaitingPerOrigin <= bounds.outboundRequests,
      'one origin that hangs must not take the room of all others',
    ],
    [
      webhook.webhookBodyBytes <= outbound.outboundBodyCharacters,
      'a delivery that may be made has to be one that can be sent',
    ],
    [
      webhook.webhookAttempts <= outbound.outboundRequestsPerOrigin,
      'an endpoint alone must not have to wait for its own attempts',
    ],
    [
      Math.max(
        bounds.printsPerOrganization,
        bounds.certificatesPerOrganization,
        bounds.paymentsPerOrganization,
        bounds.mailsPerOrganization,
      ) < bounds.jobQueue &&
        bounds.passwordsPerNetwork < bounds.passwordQueue &&
        bounds.outboundQueuePerOrganization < bounds.outboundQueue &&
        bounds.ocpiQueuePerPartner < bounds.ocpiQueue &&
        bounds.ocpiCallsPerPartner < bounds.ocpiCalls,
      'one organization must not take the room of all others',
    ],
    [
      payments.paymentWithinMs < bounds.paymentThreadWithinMs &&
        2 * outbound.outboundTimeoutMs < bounds.outboundThreadWithinMs,
      'a job gives up by itself before its thread is ended',
    ],
  ],
)
