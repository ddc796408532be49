// Requests that are refused before anything is done for them: a few bytes that are there already, no route and no line in the log. They are
// sent once everything that was read with them has been parsed, because only then can they end the connection.

import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import type { Clock } from '../../runtime/clock.js'
import type { ErrorDetail, ErrorKind } from '../../runtime/errors.js'
import { commonHeaders } from '../pipeline/steps/respond.js'
import { ocpi } from '../surfaces/ocpi.js'
import { problem } from '../surfaces/problem.js'

const reasons = [
  'answer_not_read',
  'malformed_head',
  'no_room_for_body',
  'rate_of_address',
  'rate_of_bodies',
  'rate_of_key',
  'rate_of_probes',
  'rate_of_unchecked_keys',
  'too_many_waiting',
] as const

type Reason = (typeof reasons)[number]

export interface Refusal {
  /** As it is counted. */
  readonly reason: Reason
  readonly kind: ErrorKind
  readonly message: string
  readonly details?: readonly ErrorDetail[]
}

export interface Refusals {
  refuse(response: HttpResponse, refusal: Refusal, how: RefusedRequest): void
  /** What is refused in another way. */
  count(reason: Reason): void
  /** By reason, since the start, with zeros of those that have not occurred. */
  readonly counts: ReadonlyMap<Reason, number>
}

export interface RefusedRequest {
  readonly method: string
  readonly path: string
  readonly retryAfterSeconds?: number
  /** Whether the connection may go on. */
  readonly goesOn?: boolean
}

interface Prepared {
  readonly status: string
  /** Of the body, around the id of the request. */
  readonly before: string
  readonly after: string
}

/** Of partners' requests: their answers have the time in them, and not the id. */
function refusedPartner({ kind, message }: Refusal, now: number): { readonly status: string; readonly body: string } {
  const { status, body } = ocpi.envelope.error(kind(message), '', now)
  return { status: `${status} ${STATUS_CODES[status]}`, body: JSON.stringify(body) }
}

/** Stands for the id of a request until there is one. */
const placeholder = '\u0000'

function prepare({ kind, message, details }: Refusal): Prepared {
  const { status, body } = problem.error(kind(message, details && { details }), placeholder, 0)
  const [before = '', after = ''] = JSON.stringify(body).split(JSON.stringify(placeholder).slice(1, -1))
  return { status: `${status} ${STATUS_CODES[status]}`, before, after }
}

/** `always`: headers of every answer. */
export function createRefusals(
  clock: Pick<Clock, 'now'>,
  newId: (prefix: string) => string,
  later: (run: () => void) => void,
  always: Readonly<Record<string, string>>,
): Refusals {
  const counts = new Map<Reason, number>(reasons.map((reason) => [reason, 0]))
  const prepared = new Map<Refusal, Prepared>()
  let due: (() => void)[] = []

  function send(): void {
    const now = due
    due = []
    for (const one of now) one()
  }

  function preparedOf(refusal: Refusal): Prepared {
    const known = prepared.get(refusal)
    if (known !== undefined) return known
    const made = prepare(refusal)
    prepared.set(refusal, made)
    return made
  }

  function refusedCaller(refusal: Refusal, requestId: string): { readonly status: string; readonly body: string } {
    const { status, before, after } = preparedOf(refusal)
    return { status, body: `${before}${requestId}${after}` }
  }

  function count(reason: Reason): void {
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }

  return {
    counts,
    count,
    refuse(response, refusal, { method, path, retryAfterSeconds, goesOn = false }) {
      count(refusal.reason)
      let isGone = false
      response.onAborted(() => {
        isGone = true
      })
      if (due.length === 0) later(send)
      due.push(() => {
        if (isGone) return
        const requestId = newId('request')
        const { status, body } = path.startsWith(ocpi.root)
          ? refusedPartner(refusal, clock.now())
          : refusedCaller(refusal, requestId)
        response.cork(() => {
          response.writeStatus(status)
          const headers = { ...always, ...commonHeaders(requestId) }
          for (const name in headers) response.writeHeader(name, headers[name] as string)
          if (retryAfterSeconds !== undefined) response.writeHeader('Retry-After', String(retryAfterSeconds))
          response.writeHeader('Content-Type', 'application/json; charset=utf-8')
          if (method === 'HEAD') response.endWithoutBody(0, !goesOn)
          else response.end(body, !goesOn)
        })
      })
    },
  }
}
