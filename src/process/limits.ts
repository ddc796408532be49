// Bounds of the pools of jobs, and of what is done for all organizations.

import { limits as webhook } from '../actors/webhook-endpoint/limits.js'
import { limits as outbound } from '../jobs/outbound/limits.js'
import { defineLimits } from '../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Organizations whose months and weeks are looked at before a front goes on with other work: dates in time zones take long. */
    organizationsPerStep: 25,
    /** Jobs waiting for one job pool. */
    jobQueue: 1_000,
    /** Receipts and invoices of one organization that wait to be printed. */
    printsPerOrganization: 50,
    /** Requests to the payment provider at the same time, and how long each may take until its outcome counts as unknown. */
    paymentsAtOnce: 32,
    /** Calls to addresses that others chose: in the outbound thread at once, and waiting to get there. */
    outboundRequests: 10_000,
    outboundQueue: 1_000,
    /** Heap of the outbound thread, over which it is replaced. */
    outboundHeapMegabytes: 1_024,
    /** Free space with which a disk that refused writes is tried again. */
    writableSpaceBytes: 1_048_576,
    /** Mails that are handed to the mail server at the same time; the others wait. */
    mailsAtOnce: 8,
  },
  (bounds) => [
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
    [bounds.printsPerOrganization <= bounds.jobQueue, 'one organization must not take the room of all others'],
  ],
)
