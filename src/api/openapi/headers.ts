// The headers of answers in the OpenAPI document.

import type { ErrorKind } from '../../runtime/errors.js'
import { unauthorized } from '../pipeline/errors.js'
import { limits } from '../pipeline/limits.js'
import type { Route } from '../pipeline/route.js'

type Json = Record<string, unknown>

export const headers = {
  'X-Request-ID': {
    description: "The request's id: the caller's own `X-Request-ID` where it sent a sound one, a new one otherwise.",
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: "The key's quota of requests in the clock hour; 2147483647 where none applies.",
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'What is left of it, or of what all keys of the organization have together if that is less.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'When the next hour begins, in seconds since 1970.',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait before the request is repeated.', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: '`true` on an answer that repeats the first answer to the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Ampshard-Unknown-Fields': {
    description:
      'Present when the request had fields or parameters that this operation does not know; they were ignored. JSON pointers into the ' +
      'body (`/components/0/colour`) and names of query parameters, percent-encoded and separated by commas: up to ' +
      `${limits.unknownFields} of each and ${limits.unknownFieldsHeaderCharacters} characters.`,
    schema: { type: 'string' },
  },
  'Preference-Applied': {
    description: '`handling=strict` where the request asked for it with `Prefer`.',
    schema: { type: 'string', enum: ['handling=strict'] },
  },
} as const

const references = (...names: (keyof typeof headers)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const quota = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

/** Of every request that was read. */
const read = ['X-Ampshard-Unknown-Fields', 'Preference-Applied'] as const

export function headersOfSuccess(route: Route): Json {
  const { callers } = route.surface
  return references(
    'X-Request-ID',
    ...(callers?.requestsPerHour === undefined ? [] : quota),
    ...read,
    ...(route.method === 'POST' && callers?.repeats !== undefined ? (['Idempotent-Replayed'] as const) : []),
  )
}

export function headersOfError(route: Route, kinds: readonly ErrorKind[]): Json {
  const temporary = kinds.some((kind) => kind.temporary)
  // A caller that nobody knows has no quota.
  const known = route.surface.callers?.requestsPerHour !== undefined && !kinds.includes(unauthorized)
  const wasRead = !kinds.includes(unauthorized)
  return references(
    'X-Request-ID',
    ...(known ? quota : []),
    ...(wasRead ? read : []),
    ...(temporary ? (['Retry-After'] as const) : []),
  )
}
