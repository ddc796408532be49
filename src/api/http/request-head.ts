// The head of a request, copied, and what is wrong with it: whatever a proxy in front could read in another way than the service is refused.

import type { HttpRequest } from 'uWebSockets.js'
import { validationError } from '../../runtime/errors.js'
import type { ApiRequest } from '../pipeline/message.js'
import { sessionCookieOf } from '../pipeline/session-cookie.js'
import type { Refusal } from './refusals.js'

export type Head = Pick<ApiRequest, 'path' | 'query' | 'headers'>

/** Of those that the API reads: several lines of one are one list (RFC 9110, 5.3). */
const listHeaders: ReadonlySet<string> = new Set(['prefer', 'accept-encoding'])

/** Those that say where a request ends, whose it is and what it means: of two lines, a proxy may believe the other one. */
const soleHeaders = [
  'host',
  'content-length',
  'transfer-encoding',
  'content-type',
  'content-encoding',
  'authorization',
  'x-api-key',
  'cookie',
  'idempotency-key',
  'x-request-id',
  'last-event-id',
] as const

function malformed(header: string, message: string): Refusal {
  const details = [{ path: header, message }]
  return { reason: 'malformed_head', kind: validationError, message: `${header} ${message}`, details }
}

const repeated: ReadonlyMap<string, Refusal> = new Map(
  soleHeaders.map((name) => [name, malformed(name, 'must be there once')]),
)
const notChunked = malformed('transfer-encoding', 'must be chunked')
const noChunks = malformed('transfer-encoding', 'must not be there: such a request has no body')

/** They change nothing, and have no body. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export function headOf(request: HttpRequest): Head | Refusal {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>
  let fault: Refusal | undefined
  request.forEach((name, value) => {
    const before = headers[name]
    if (before !== undefined) fault ??= repeated.get(name)
    headers[name] = before === undefined || !listHeaders.has(name) ? value : `${before}, ${value}`
  })
  // uWebSockets.js takes any other encoding for chunks, too (RFC 9112, 6.1).
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') fault ??= notChunked
  // Those without a body are answered before the rest of the connection is parsed, and it reads extensions and trailers of chunks in its own way.
  if (encoding !== undefined && safeMethods.has(request.getMethod().toUpperCase())) fault ??= noChunks
  return fault ?? { path: pathOf(request.getUrl()), query: request.getQuery() ?? '', headers }
}

/** The path alone, also of a request target in absolute form. */
function pathOf(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '') || '/'
}

/** What the request presents, without its scheme; empty where that is nothing. */
export function credentialOf(request: HttpRequest): string {
  const authorization = request.getHeader('authorization')
  if (authorization !== '') return authorization.slice(authorization.lastIndexOf(' ') + 1)
  return request.getHeader('x-api-key') || (sessionCookieOf(request.getHeader('cookie'))?.text ?? '')
}
