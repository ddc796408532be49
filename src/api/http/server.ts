// Binds the API to uWebSockets.js: a request's head and body in, one answer out. Knows no route.
// Everything of a request is copied out of uWebSockets' memory before its handler returns.
//
// uWebSockets.js parses all that it has read of a connection in one go, and keeps no second request while one is unanswered: it closes the
// connection. So what may change something waits until all has been parsed, and is not begun if its connection has been closed by then.

import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import type { Clock } from '../../runtime/clock.js'
import { overloaded } from '../../runtime/errors.js'
import { rateLimitExceeded } from '../pipeline/errors.js'
import { limits as pipelineLimits } from '../pipeline/limits.js'
import type { ApiRequest, KnownCaller, ReadBody } from '../pipeline/message.js'
import type { Api } from '../pipeline/pipeline.js'
import { createRefusals, type Refusal } from './refusals.js'
import { createRequestBodies, type GatheredBody } from './request-bodies.js'
import { credentialOf, headOf } from './request-head.js'
import type { Admitted, Counted, RequestRates } from './request-rates.js'
import { sendAnswer } from './send-answer.js'
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

const tooManyWait: Refusal = {
  reason: 'too_many_waiting',
  kind: overloaded,
  message: 'the service is overloaded; try again later',
}

const noRoom: Refusal = {
  reason: 'no_room_for_body',
  kind: overloaded,
  message: 'the service receives too much at once; try again later',
}

interface PresentingVisitor extends Admitted {
  /** The text of its credential, or empty. */
  readonly presented: string
}

/** Browsers that have been here once come back with TLS only, whatever a link says, for a year (RFC 6797). */
const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' } as const
const noHeaders = {} as const

/** They change nothing, so that nothing is lost if nobody gets their answer. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export function createHttpServer({ api, clock, rates, newId, clientAddress, tls }: HttpServerOptions): HttpServer {
  const always = tls ? strictTransport : noHeaders
  const refusals = createRefusals(newId, setImmediate, always)
  const turns = createTurns(clock, setImmediate)
  const parts = createStreamParts(clock, setImmediate)
  const bodies = createRequestBodies()
  const unread = createUnreadAnswers(() => refusals.count('answer_not_read'))

  function take(response: HttpResponse, request: HttpRequest): void {
    const remoteAddress = clientAddress(response, request)
    const presented = credentialOf(request)
    const method = request.getMethod().toUpperCase()
    const entered = rates.enter(remoteAddress, presented, request.getUrl())
    if (!entered.ok) {
      const { lane, counted, retryAfterSeconds } = entered
      refusals.refuse(response, tooFast[counted], { method, retryAfterSeconds, goesOn: lane === 'known' })
      return
    }
    const head = headOf(request)
    if ('reason' in head) refusals.refuse(response, head, { method })
    else receive(response, { method, ...head, remoteAddress }, { ...entered, presented })
  }

  function receive(response: HttpResponse, head: Omit<ApiRequest, 'body'>, visitor: PresentingVisitor): void {
    const { method } = head
    const isSafe = safeMethods.has(method)
    const announced = announcedLength(head)
    const extent = bodyOf(head, announced)
    let party = visitor.party
    /** It is answered, or its connection is gone. */
    let isOver = false
    let isPaused = false
    let wasRead = false
    let gathered: GatheredBody | undefined
    let whole: Promise<ReadBody> | undefined
    let lost: (() => void) | undefined
    response.onAborted(() => {
      isOver = true
      gathered?.release()
      lost?.()
    })

    /** It may change something: what follows on the connection waits for its answer, instead of ending the connection. */
    function carryOut(work: () => void): void {
      if (isOver) return
      if (!isSafe) {
        isPaused = true
        response.pause()
      }
      work()
    }

    function gather(): Promise<ReadBody> {
      whole ??= new Promise((resolve, reject) => {
        gathered = bodies.gather(response, { party, announced }, (body) => {
          if (body === 'no-room') {
            refusals.count(noRoom.reason)
            reject(noRoom.kind(noRoom.message, { retryAfterSeconds: 1 }))
            return
          }
          wasRead = body !== 'too-large'
          if (turns.wait(visitor, () => carryOut(() => resolve(body)))) return
          refusals.count(tooManyWait.reason)
          reject(tooManyWait.kind(tooManyWait.message, { retryAfterSeconds: 1 }))
        })
      })
      return whole
    }

    async function answer(body: ApiRequest['body'] | (() => Promise<ReadBody>)): Promise<void> {
      const identified = (caller: KnownCaller): void => {
        party = caller.party
        rates.remember(visitor.presented, caller, visitor)
      }
      const answered = await api.handle({ ...head, body, identified, isGone: () => isOver })
      gathered?.release()
      if (answered.status === 401) rates.forget(visitor.presented)
      if (isOver) return
      isOver = true
      if (isPaused) response.resume()
      const closes = extent !== 'none' && extent !== 'short' && !wasRead
      lost = sendAnswer(response, answered, { isHead: method === 'HEAD', closes, always, party, unread, parts })
    }

    function wait(work: () => void): void {
      if (turns.wait(visitor, work)) return
      gathered?.release()
      const goesOn = visitor.lane === 'known' && (extent === 'none' || extent === 'short')
      refusals.refuse(response, tooManyWait, { method, retryAfterSeconds: 1, goesOn })
    }

    const reads = !isSafe && (extent === 'short' || extent === 'chunked')
    const isFree = (isSafe || reads) && turns.isFree(visitor)
    if (reads) {
      // Who calls is looked at before the body is gathered, or while the first of it comes.
      if (isFree) void answer(gather)
      else {
        gather().catch(() => undefined)
        wait(() => {
          if (!isOver) void answer(gather)
        })
      }
    } else {
      const body = extent === 'too-large' && !isSafe ? 'too-large' : undefined
      if (isFree) void answer(body)
      else wait(() => carryOut(() => void answer(body)))
    }
  }

  return {
    refused: refusals.counts,
    mount(app) {
      app.any('/*', take)
    },
  }
}

/** What follows the head. Of a short body that nobody asks for, uWebSockets.js reads on to the end. */
function bodyOf(
  { headers }: Pick<ApiRequest, 'headers'>,
  announced: number,
): 'none' | 'short' | 'chunked' | 'too-large' {
  if (headers['transfer-encoding'] !== undefined) return 'chunked'
  if (announced === 0) return 'none'
  return announced > pipelineLimits.requestBodyBytes ? 'too-large' : 'short'
}

function announcedLength({ headers }: Pick<ApiRequest, 'headers'>): number {
  return Number(headers['content-length'] ?? 0)
}
