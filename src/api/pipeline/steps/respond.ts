// Answers and errors as responses: the two forms of error bodies, and the headers that every response has.

import { AmpshardError, internalError } from '../../../runtime/errors.js'
import type { ApiResponse } from '../message.js'
import type { Answer } from '../route.js'
import { MethodNotAllowed } from './match-route.js'

export function commonHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-ID': requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }
}

/** The body of an answer as it is sent, and kept for its repeats. */
export function encodeBody({ body, contentType }: Answer): string | Uint8Array {
  if (body === undefined) return ''
  return contentType === undefined ? JSON.stringify(body) : (body as string | Uint8Array)
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
export function errorAnswer(error: unknown, requestId: string): Answer {
  const known = error instanceof AmpshardError ? error : internalError('the service failed; see its log')
  return {
    status: known.kind.status,
    body: isFlat(known) ? flatBody(known, requestId) : nestedBody(known, requestId),
    headers: headersOf(known),
  }
}

/** Failures of the authentication layer alone. */
function isFlat({ code, extras }: AmpshardError): boolean {
  if (code === 'forbidden') return extras.requiredScope !== undefined
  return code === 'unauthorized' || code === 'rate_limit_exceeded'
}

function flatBody({ code, message, extras }: AmpshardError, requestId: string): unknown {
  return {
    error: code,
    message,
    request_id: requestId,
    required_scope: extras.requiredScope,
    retry_after: extras.retryAfterSeconds,
  }
}

function nestedBody({ code, message, extras }: AmpshardError, requestId: string): unknown {
  return {
    error: {
      code,
      message,
      request_id: requestId,
      charge_point_id: extras.chargePointId,
      command_id: extras.commandId,
      details: extras.details,
    },
  }
}

function headersOf(error: AmpshardError): Record<string, string> {
  const headers: Record<string, string> = {}
  if (error instanceof MethodNotAllowed) headers.Allow = error.allow
  if (error.code === 'unauthorized') headers['WWW-Authenticate'] = 'Bearer'
  if (error.code === 'upgrade_required') headers.Upgrade = 'websocket'
  const { retryAfterSeconds } = error.extras
  if (error.kind.temporary || retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds ?? 1)
  return headers
}
