// One request over undici and its whole answer, within time and bounds. Knows nothing of which addresses are allowed.

import type { Dispatcher } from 'undici'
import { type AnswerHeaders, answerHeaders, type OutboundRequest } from '../../runtime/outbound-jobs.js'
import { type AnswerBody, createAnswerBody } from './answer-body.js'
import { type CallFailure, callFailure } from './failure.js'
import { limits } from './limits.js'

export interface Answer {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body?: string
  readonly isCut?: true
}

type DispatchController = Dispatcher.DispatchController
type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>

/** `onConnected` is told once the request has a connection. Rejects with a CallFailure, or with the error that the network or undici had. */
export function exchange(
  dispatcher: Dispatcher,
  url: URL,
  request: OutboundRequest,
  onConnected: () => void,
): Promise<Answer> {
  const timeoutMs = Math.min(request.timeoutMs, limits.outboundTimeoutMs)
  const readBody = request.readBody === true
  return new Promise((resolve, reject) => {
    let running: DispatchController | undefined
    let ended: Error | undefined
    let answer: Answer | undefined
    let interim = 0
    const body: AnswerBody = createAnswerBody(bytesOf(request), readBody)
    const timer = setTimeout(
      () => stop(callFailure('timeout', `there was no complete answer within ${timeoutMs} ms`)),
      timeoutMs,
    )

    function settle(): void {
      clearTimeout(timer)
      if (answer === undefined) stop(callFailure('protocol', 'the answer is not valid HTTP/1.1'))
      else resolve(readBody ? { ...answer, body: body.text(), ...(body.isCut && { isCut: true }) } : answer)
    }

    /** What undici does afterwards changes nothing. A request that has no connection yet is stopped when it gets one. */
    function stop(error: Error): void {
      if (ended !== undefined) return
      ended = error
      clearTimeout(timer)
      reject(error)
      running?.abort(error)
    }

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        ...(request.body !== undefined && { body: request.body }),
      },
      {
        onRequestStart(controller) {
          // Thrown, it leaves the connection for others; nothing has been sent over it.
          if (ended !== undefined) throw ended
          running = controller
          onConnected()
        },
        onResponseStart(_controller, status, headers) {
          if (status >= 200) answer = { status, headers: namedHeaders(headers) }
          else if (++interim > limits.outboundInterimAnswers) stop(tooManyInterim())
        },
        onResponseData(controller, chunk) {
          if (body.add(chunk)) return
          settle()
          controller.abort(new Error('the rest of the answer is not wanted'))
        },
        onResponseEnd: () => afterRelease(settle),
        onResponseError: (_controller, error) => stop(error),
      },
    )
  })
}

function bytesOf({ answerBytes = limits.outboundAnswerBytes }: OutboundRequest): number {
  return Math.min(answerBytes, limits.outboundLongAnswerBytes)
}

/** undici takes a connection back one turn of the event loop after its answer: what comes next shall find it. */
function afterRelease(task: () => void): void {
  process.nextTick(() => setImmediate(task))
}

function tooManyInterim(): CallFailure {
  return callFailure('protocol', `there were more than ${limits.outboundInterimAnswers} interim answers`)
}

/** Of a header that came several times, the first. */
function namedHeaders(received: ReceivedHeaders): AnswerHeaders {
  const found = answerHeaders.flatMap((name) => {
    const value = Object.hasOwn(received, name) ? [received[name]].flat()[0] : undefined
    return value === undefined ? [] : [[name, value.slice(0, limits.outboundHeaderCharacters)]]
  })
  return Object.fromEntries(found)
}
