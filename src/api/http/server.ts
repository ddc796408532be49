// Binds the API to uWebSockets.js: a request's head and body in, one answer out. Knows no route.
// Everything of a request is copied out of uWebSockets' memory before its handler returns.

import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import type { Clock } from '../../runtime/clock.js'
import { rateLimitExceeded } from '../pipeline/errors.js'
import type { Api } from '../pipeline/pipeline.js'
import { createExchanges } from './exchanges.js'
import { createRefusals, type Refusal } from './refusals.js'
import { createRequestBodies } from './request-bodies.js'
import { credentialOf, headOf } from './request-head.js'
import type { Counted, RequestRates } from './request-rates.js'
import { createStreamParts } from './stream-parts.js'
import { createTurns } from './turns.js'
import { createUnreadAnswers } from './unread-answers.js'

export interface HttpServer {
  /** Answers every path that no other handler of the app takes. */
  mount(app: TemplatedApp): void
  /** Requests that were refused before they reached a route, by reason. */
  readonly refused: ReadonlyMap<string, number>
}

export interface HttpServerOptions {
  readonly api: Api
  readonly clock: Clock
  readonly rates: RequestRates
  readonly newId: (prefix: string) => string
  /** Of the client, which may be behind proxies. */
  readonly clientAddress: (response: HttpResponse, request: HttpRequest) => string
  /** Whether the listener speaks TLS. */
  readonly tls: boolean
}

const tooFast: Readonly<Record<Counted, Refusal>> = {
  key: { reason: 'rate_of_key', kind: rateLimitExceeded, message: 'this API key sends too many requests' },
  probes: {
    reason: 'rate_of_probes',
    kind: rateLimitExceeded,
    message: 'too many requests for the health or the metrics of the service come from this address',
  },
  unchecked: {
    reason: 'rate_of_unchecked_keys',
    kind: rateLimitExceeded,
    message: 'too many requests come from this address; this API key has not been checked',
  },
  others: {
    reason: 'rate_of_address',
    kind: rateLimitExceeded,
    message: 'too many requests without an API key come from this address',
  },
}

/** Browsers that have been here once come back with TLS only, whatever a link says, for a year (RFC 6797). */
const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' } as const
const noHeaders = {} as const

export function createHttpServer({ api, clock, rates, newId, clientAddress, tls }: HttpServerOptions): HttpServer {
  const always = tls ? strictTransport : noHeaders
  const refusals = createRefusals(clock, newId, setImmediate, always)
  const receive = createExchanges({
    api,
    clock,
    rates,
    refusals,
    turns: createTurns(clock, setImmediate),
    bodies: createRequestBodies(),
    unread: createUnreadAnswers(() => refusals.count('answer_not_read')),
    parts: createStreamParts(clock, setImmediate),
    always,
  })

  function take(response: HttpResponse, request: HttpRequest): void {
    const remoteAddress = clientAddress(response, request)
    const presented = credentialOf(request)
    const method = request.getMethod().toUpperCase()
    const path = request.getUrl()
    const entered = rates.enter(remoteAddress, presented, path)
    if (!entered.ok) {
      const { lane, counted, retryAfterSeconds } = entered
      // Where chunks end is not sure (exchanges.ts).
      const goesOn = lane === 'known' && request.getHeader('transfer-encoding') === ''
      refusals.refuse(response, tooFast[counted], { method, path, retryAfterSeconds, goesOn })
      return
    }
    const head = headOf(request)
    if ('reason' in head) refusals.refuse(response, head, { method, path })
    else receive(response, { method, ...head, remoteAddress }, { ...entered, presented })
  }

  return {
    refused: refusals.counts,
    mount(app) {
      app.any('/*', take)
    },
  }
}
