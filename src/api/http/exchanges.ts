// A request whose head has come, on its connection: when it is handled, when its body is gathered, and how it is answered.
//
// uWebSockets.js parses all that it has read of a connection in one go, and keeps no second request while one is unanswered: it closes the
// connection. So what may change something waits until all has been parsed, and is not begun if its connection has been closed by then.

import type { HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../runtime/clock.js'
import { overloaded } from '../../runtime/errors.js'
import { partsIn } from '../../runtime/nesting.js'
import { createTokenBuckets } from '../../runtime/token-bucket.js'
import { rateLimitExceeded } from '../pipeline/errors.js'
import { limits as pipelineLimits } from '../pipeline/limits.js'
import type { ApiRequest, KnownCaller, ReadBody } from '../pipeline/message.js'
import type { Api } from '../pipeline/pipeline.js'
import { limits } from './limits.js'
import type { Refusal, Refusals } from './refusals.js'
import type { GatheredBody, RequestBodies } from './request-bodies.js'
import { safeMethods } from './request-head.js'
import type { Admitted, RequestRates } from './request-rates.js'
import { sendAnswer } from './send-answer.js'
import type { StreamParts } from './stream-parts.js'
import type { Turns } from './turns.js'
import type { UnreadAnswers } from './unread-answers.js'

export interface PresentingVisitor extends Admitted {
  /** The text of its credential, or empty. */
  readonly presented: string
}

type Head = Omit<ApiRequest, 'body'>

export interface ExchangesOptions {
  readonly api: Api
  readonly clock: Clock
  readonly rates: Pick<RequestRates, 'remember' | 'forget'>
  readonly refusals: Refusals
  readonly turns: Turns
  readonly bodies: RequestBodies
  readonly unread: UnreadAnswers
  readonly parts: StreamParts
  /** Headers of every answer. */
  readonly always: Readonly<Record<string, string>>
}

/** What follows the head. Of a short body that nobody asks for, uWebSockets.js reads on to the end. */
type Extent = 'none' | 'short' | 'chunked' | 'too-large'

interface Exchange {
  readonly response: HttpResponse
  readonly head: Head
  readonly visitor: PresentingVisitor
  /** It changes nothing, so that nothing is lost if nobody gets its answer. */
  readonly isSafe: boolean
  readonly extent: Extent
  /** Who pays for what it takes: its address, until it is known who calls. */
  party: string
  /** It is answered, or its connection is gone. */
  isOver: boolean
  isPaused: boolean
  /** Its body has been read to the end. */
  wasRead: boolean
  gathered: GatheredBody | undefined
  whole: Promise<ReadBody> | undefined
  /** Called when the connection is lost while it is sent its answer. */
  lost: (() => void) | undefined
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

const tooMuchToParse: Refusal = {
  reason: 'rate_of_bodies',
  kind: rateLimitExceeded,
  message: `large bodies (over ${limits.smallBodyBytes} bytes, or with many fields) come too fast: send fewer a second, or shorter ones`,
}

const parsedBodies = { perSecond: limits.parsedBodyBytesPerSecond, burst: limits.parsedBodyBytesAtOnce }

/** Returns what takes each request in. */
export function createExchanges(
  options: ExchangesOptions,
): (response: HttpResponse, head: Head, visitor: PresentingVisitor) => void {
  const { api, clock, rates, refusals, turns, bodies, unread, parts, always } = options
  const parsed = createTokenBuckets(parsedBodies, clock, limits.countedBodyParties)

  function receive(response: HttpResponse, head: Head, visitor: PresentingVisitor): void {
    const isSafe = safeMethods.has(head.method)
    const extent = extentOf(head)
    const exchange: Exchange = {
      response,
      head,
      visitor,
      isSafe,
      extent,
      party: visitor.party,
      isOver: false,
      isPaused: false,
      wasRead: false,
      gathered: undefined,
      whole: undefined,
      lost: undefined,
    }
    response.onAborted(() => {
      exchange.isOver = true
      exchange.gathered?.release()
      exchange.lost?.()
    })
    if (!isSafe && extent !== 'none') beginWithBody(exchange)
    else begin(exchange)
  }

  /** Who calls is looked at before the body is gathered, or while the first of it comes. */
  function beginWithBody(exchange: Exchange): void {
    const body = () => gather(exchange)
    if (turns.isFree(exchange.visitor)) {
      void answer(exchange, body)
      return
    }
    gather(exchange).catch(() => undefined)
    wait(exchange, () => {
      if (!exchange.isOver) void answer(exchange, body)
    })
  }

  function begin(exchange: Exchange): void {
    const { isSafe, visitor } = exchange
    if (isSafe && turns.isFree(visitor)) void answer(exchange, undefined)
    else wait(exchange, () => carryOut(exchange, () => void answer(exchange, undefined)))
  }

  function wait(exchange: Exchange, work: () => void): void {
    const { response, head, visitor, extent, gathered } = exchange
    if (turns.wait(visitor, work)) return
    gathered?.release()
    const goesOn = visitor.lane === 'known' && (extent === 'none' || extent === 'short')
    refusals.refuse(response, tooManyWait, { ...head, retryAfterSeconds: 1, goesOn })
  }

  /** Where it may change something, what follows on the connection waits for its answer, instead of ending the connection. */
  function carryOut(exchange: Exchange, work: () => void): void {
    if (exchange.isOver) return
    if (!exchange.isSafe) {
      exchange.isPaused = true
      exchange.response.pause()
    }
    work()
  }

  /** Until the organization or address may have this parsed as well; 0 where it is counted. */
  function secondsToParse(party: string, body: Buffer): number {
    const cost = Math.min(body.length + partsIn(body) * limits.parsedBytesOfPart, limits.parsedBodyBytesAtOnce)
    return cost <= limits.smallBodyBytes || parsed.take(party, cost) ? 0 : parsed.secondsUntil(party, cost)
  }

  /** The body, once it is whole and its turn has come. */
  function gather(exchange: Exchange): Promise<ReadBody> {
    exchange.whole ??= new Promise((resolve, reject) => {
      const { response, head, visitor, party } = exchange
      const refuse = ({ reason, kind, message }: Refusal, retryAfterSeconds = 1): void => {
        refusals.count(reason)
        reject(kind(message, { retryAfterSeconds }))
      }
      exchange.gathered = bodies.gather(response, { party, announced: announcedLength(head) }, (body) => {
        if (body === 'no-room') return refuse(noRoom)
        exchange.wasRead = body !== 'too-large'
        const seconds = body instanceof Buffer ? secondsToParse(exchange.party, body) : 0
        if (seconds > 0) return refuse(tooMuchToParse, Math.ceil(seconds))
        if (!turns.wait(visitor, () => carryOut(exchange, () => resolve(body)))) refuse(tooManyWait)
      })
    })
    return exchange.whole
  }

  async function answer(exchange: Exchange, body: ApiRequest['body'] | (() => Promise<ReadBody>)): Promise<void> {
    const { response, head, visitor, extent } = exchange
    const identified = (caller: KnownCaller): void => {
      exchange.party = caller.party
      rates.remember(visitor.presented, caller, visitor)
    }
    const answered = await api.handle({ ...head, body, identified, isGone: () => exchange.isOver })
    exchange.gathered?.release()
    if (answered.status === 401) rates.forget(visitor.presented)
    if (exchange.isOver) return
    exchange.isOver = true
    if (exchange.isPaused) response.resume()
    // Where chunks end, uWebSockets.js and a proxy in front may see otherwise: nothing follows them.
    const closes = extent === 'chunked' || (extent === 'too-large' && !exchange.wasRead)
    const { party } = exchange
    exchange.lost = sendAnswer(response, answered, {
      isHead: head.method === 'HEAD',
      closes,
      always,
      party,
      unread,
      parts,
    })
  }

  return receive
}

function extentOf(head: Head): Extent {
  if (head.headers['transfer-encoding'] !== undefined) return 'chunked'
  const announced = announcedLength(head)
  if (announced === 0) return 'none'
  return announced > pipelineLimits.requestBodyBytes ? 'too-large' : 'short'
}

function announcedLength({ headers }: Head): number {
  return Number(headers['content-length'] ?? 0)
}
