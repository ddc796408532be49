// Answers and errors as responses: in the envelope of their surface, with the headers that every response has.

import type { Clock } from '../../../runtime/clock.js'
import { AmpshardError, internalError } from '../../../runtime/errors.js'
import type { ApiResponse } from '../message.js'
import type { Answer } from '../route.js'
import type { Surface } from '../surface.js'
import { MethodNotAllowed } from './match-route.js'

export function commonHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-ID': requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }
}

/** The body of an answer as it is sent, and kept for its repeats. */
export function encodeBody(
  { body, contentType }: Answer,
  { envelope }: Surface,
  clock: Pick<Clock, 'now'>,
): string | Uint8Array {
  if (body === undefined) return ''
  if (contentType !== undefined) return body as string | Uint8Array
  return JSON.stringify(envelope.success === undefined ? body : envelope.success.wrap(body, clock.now()))
}

/** An error's body is in its envelope already. */
export function encodeError({ body }: Answer): string {
  return JSON.stringify(body)
}

export function respond(
  answer: Pick<Answer, 'status' | 'contentType' | 'headers' | 'stream'>,
  body: string | Uint8Array,
  headers: Record<string, string>,
): ApiResponse {
  if (answer.status !== 204) headers['Content-Type'] = answer.contentType ?? 'application/json; charset=utf-8'
  if (answer.headers !== undefined) Object.assign(headers, answer.headers)
  return { status: answer.status, headers, body, ...(answer.stream !== undefined && { stream: answer.stream }) }
}

/** What a caller is told of an error; anything that is not an AmpshardError is a defect and says nothing of itself. */
export function errorAnswer(error: unknown, surface: Surface, requestId: string, now: number): Answer {
  const known = error instanceof AmpshardError ? error : internalError('the service failed; see its log')
  return { ...surface.envelope.error(known, requestId, now), headers: headersOf(known, surface) }
}

function headersOf(error: AmpshardError, { callers }: Surface): Record<string, string> {
  const headers: Record<string, string> = {}
  if (error instanceof MethodNotAllowed) headers.Allow = error.allow
  if (error.kind.status === 401 && callers !== undefined) headers['WWW-Authenticate'] = callers.credential.challenge
  if (error.code === 'upgrade_required') headers.Upgrade = 'websocket'
  const { retryAfterSeconds } = error.extras
  if (error.kind.temporary || retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds ?? 1)
  return headers
}
