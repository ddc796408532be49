// Binds the API to uWebSockets.js: a request's head and body in, one answer out. Knows no route.
// Everything of a request is copied out of uWebSockets' memory before its handler returns.
//
// uWebSockets.js parses all that it has read of a connection in one go, and keeps no second request while one is unanswered: it closes the
// connection. So what may change something waits until all has been parsed, and is not begun if its connection has been closed by then.

import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import type { Clock } from '../../runtime/clock.js'
import { overloaded } from '../../runtime/errors.js'
import { rateLimitExceeded } from '../pipeline/errors.js'
import { limits } from '../pipeline/limits.js'
import type { ApiRequest, ApiResponse, KnownCaller } from '../pipeline/message.js'
import type { Api } from '../pipeline/pipeline.js'
import { pumpStream } from './pump-stream.js'
import { createRefusals, type Refusal } from './refusals.js'
import type { RequestRates } from './request-rates.js'
import { createTurns, type Lane } from './turns.js'

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
}

const tooFast: Readonly<Record<Lane, Refusal>> = {
  known: { reason: 'rate_of_key', kind: rateLimitExceeded, message: 'this API key sends too many requests' },
  stranger: {
    reason: 'rate_of_address',
    kind: rateLimitExceeded,
    message: 'too many requests without a valid API key come from this address',
  },
}

const tooManyWait: Refusal = {
  reason: 'too_many_waiting',
  kind: overloaded,
  message: 'the service is overloaded; try again later',
}

/** They change nothing, so that nothing is lost if nobody gets their answer. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export function createHttpServer({ api, clock, rates, newId, clientAddress }: HttpServerOptions): HttpServer {
  const refusals = createRefusals(newId, setImmediate)
  const turns = createTurns(clock, setImmediate)

  function take(response: HttpResponse, request: HttpRequest): void {
    const remoteAddress = clientAddress(response, request)
    const presented = credentialOf(request)
    const method = request.getMethod().toUpperCase()
    const entered = rates.enter(remoteAddress, presented)
    if (!entered.ok) {
      const { lane, retryAfterSeconds } = entered
      refusals.refuse(response, tooFast[lane], { method, retryAfterSeconds, goesOn: lane === 'known' })
      return
    }
    let finished = false
    let closeStream: (() => void) | undefined
    response.onAborted(() => {
      finished = true
      closeStream?.()
    })
    const identified = (caller: KnownCaller): void => rates.remember(presented, caller)
    const head = { method, ...headOf(request), remoteAddress, identified }
    const answer = async (body: ApiRequest['body']): Promise<void> => {
      const answered = await api.handle({ ...head, body })
      if (answered.status === 401) rates.forget(presented)
      if (!finished) closeStream = write(response, answered, method === 'HEAD', body === 'too-large')
      finished = true
    }
    const begin = (body: ApiRequest['body']): void => {
      if (safeMethods.has(method) && turns.isFree(entered)) {
        void answer(body)
        return
      }
      const waits = turns.wait(entered, () => {
        if (!finished) void answer(body)
      })
      if (!waits) refusals.refuse(response, tooManyWait, { method, retryAfterSeconds: 1 })
    }
    const announced = Number(head.headers['content-length'] ?? 0)
    if (announced > limits.requestBodyBytes) begin('too-large')
    else if (announced === 0 && head.headers['transfer-encoding'] === undefined) begin(undefined)
    else collectBody(response, begin)
  }

  return {
    refused: refusals.counts,
    mount(app) {
      app.any('/*', take)
    },
  }
}

/** What the request presents, without its scheme; empty where that is nothing. */
function credentialOf(request: HttpRequest): string {
  const authorization = request.getHeader('authorization')
  return authorization === '' ? request.getHeader('x-api-key') : authorization.slice(authorization.lastIndexOf(' ') + 1)
}

/** Of those that the API reads: several lines of one are one list (RFC 9110, 5.3). */
const listHeaders: ReadonlySet<string> = new Set(['prefer', 'accept-encoding'])

function headOf(request: HttpRequest): Pick<ApiRequest, 'path' | 'query' | 'headers'> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>
  request.forEach((name, value) => {
    const before = listHeaders.has(name) ? headers[name] : undefined
    headers[name] = before === undefined ? value : `${before}, ${value}`
  })
  return { path: pathOf(request.getUrl()), query: request.getQuery() ?? '', headers }
}

/** The path alone, also of a request target in absolute form. */
function pathOf(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '') || '/'
}

/** Calls `whole` once: with the body, or as soon as it is longer than a body may be. */
function collectBody(response: HttpResponse, whole: (body: Buffer | 'too-large') => void): void {
  let chunks: Buffer[] = []
  let length = 0
  response.onData((chunk, isLast) => {
    if (length > limits.requestBodyBytes) return
    length += chunk.byteLength
    if (length > limits.requestBodyBytes) {
      chunks = []
      whole('too-large')
      return
    }
    // The chunk's memory is uWebSockets' own and is gone when this returns.
    chunks.push(Buffer.from(Buffer.from(chunk)))
    if (isLast) whole(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  })
}

/**
 * `closes` for a request whose body is not read to its end: nothing can follow on that connection.
 * Returns what has to be called when the connection is lost, for a body that goes on.
 */
function write(
  response: HttpResponse,
  { status, headers, body, stream }: ApiResponse,
  isHead: boolean,
  closes: boolean,
): (() => void) | undefined {
  response.cork(() => {
    response.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`)
    for (const name in headers) response.writeHeader(name, headers[name] as string)
    if (stream !== undefined && !isHead) return
    if (closes || (!isHead && status !== 204)) response.end(isHead ? '' : body, closes)
    else {
      // Told a length, uWebSockets.js waits for that many bytes, and drops the connection at the next request.
      if (isHead && stream === undefined) response.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      response.endWithoutBody()
    }
  })
  return stream !== undefined && !isHead ? pumpStream(response, stream) : undefined
}
