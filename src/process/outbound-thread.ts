// An outbound thread: calls to addresses that others chose, and nothing else. Its end loses the calls that are under way, no more. Calls to roaming
// partners have one of their own.

import { workerData } from 'node:worker_threads'
import { callPartner } from '../jobs/ocpi/call-partner.js'
import { createOutboundClient } from '../jobs/outbound/client.js'
import { dnsResolve, systemResolve } from '../jobs/outbound/resolver.js'
import type { OcpiCall, ocpiCallJob } from '../ocpi/call.js'
import { type CallToken, openToken } from '../ocpi/call-token.js'
import { systemClock } from '../runtime/clock.js'
import type { CheckUrlInput, OutboundJob, OutboundRequest } from '../runtime/outbound-jobs.js'
import { createSealer, type Sealer } from '../runtime/sealing.js'
import { readSealingKeys } from './sealing-keys.js'
import type { OutboundStart } from './threads.js'
import { version } from './version.js'

type Job = OutboundJob | typeof ocpiCallJob

export interface OutboundTask {
  readonly job: Job
  readonly input: unknown
}

const { allowInsecure, data } = workerData as OutboundStart
const client = createOutboundClient({
  allowInsecure,
  // A laboratory has names that no name server knows.
  resolve: allowInsecure ? systemResolve : dnsResolve(systemClock),
  clock: systemClock,
  userAgent: `ampshard/${version}`,
})

let sealer: Sealer | undefined

/** The key is read for the first token that is sealed: a thread that calls nobody but webhooks never has it. */
function open(partnerId: string, token: CallToken): string | undefined {
  if ('plain' in token) return token.plain
  sealer ??= createSealer(readSealingKeys(data))
  return openToken(sealer, partnerId, token)
}

const jobs: Readonly<Record<Job, (input: never) => Promise<unknown>>> = {
  'http-request': (request: OutboundRequest) => client.request(request),
  'ocpi-call': (call: OcpiCall) => callPartner(client, call, open),
  'check-url': ({ url }: CheckUrlInput) => client.checkUrl(url),
}

/** As job-threads.ts asks. */
export function answers(): void {}

export function runOutboundJob({ job, input }: OutboundTask): Promise<unknown> {
  return jobs[job](input as never)
}
