// A request's body as JSON: parsed once, whoever of the steps asks for it.

import { isUtf8 } from 'node:buffer'
import { Type } from 'typebox'
import { AmpshardError, type ErrorDetail } from '../../../runtime/errors.js'
import { limits as runtimeLimits } from '../../../runtime/limits.js'
import { isDeeperThan, partsIn } from '../../../runtime/nesting.js'
import { payloadTooLarge, unsupportedMediaType } from '../errors.js'
import { type FieldPath, pointerOf } from '../known-fields.js'
import { limits } from '../limits.js'
import type { ApiRequest } from '../message.js'
import { roomForParts } from '../room-for-parts.js'
import type { Route } from '../route.js'
import { invalid } from './validate.js'

export interface JsonBody {
  /** Throws `payload_too_large`, `unsupported_media_type` or `validation_error`. */
  read(): unknown
  /** Undefined where there is none that can be read. */
  peek(): unknown
  /** What is read from now on, in the place of what was sent. */
  replace(value: unknown): void
}

type ReadRoute = Pick<Route, 'body' | 'bodyOptional'>

export function jsonBody(request: ApiRequest, route: ReadRoute): JsonBody {
  let parsed: { readonly value: unknown } | AmpshardError | undefined
  const readOnce = (): { readonly value: unknown } | AmpshardError => {
    parsed ??= readOrRefuse(request, route)
    return parsed
  }
  return {
    read() {
      const outcome = readOnce()
      if (outcome instanceof AmpshardError) throw outcome
      return outcome.value
    },
    peek() {
      if (request.body === undefined || request.body === 'too-large' || request.body.length === 0) return undefined
      const outcome = readOnce()
      return outcome instanceof AmpshardError ? undefined : outcome.value
    },
    replace(value) {
      parsed = { value }
    },
  }
}

/** A body that cannot be read is refused as often as it is asked for, and read once. */
function readOrRefuse(request: ApiRequest, route: ReadRoute): { readonly value: unknown } | AmpshardError {
  try {
    return { value: readBody(request, route) }
  } catch (error) {
    if (error instanceof AmpshardError) return error
    throw error
  }
}

/** Of a body where the route wants none: it is looked at for what should not be there. */
const noBody = Type.Object({})

function readBody({ body, headers }: ApiRequest, { body: schema = noBody, bodyOptional }: ReadRoute): unknown {
  if (body === 'too-large' || (body !== undefined && body.length > limits.requestBodyBytes))
    throw payloadTooLarge(`a body has at most ${limits.requestBodyBytes} bytes`)
  if (body === undefined || body.length === 0) {
    if (bodyOptional === true) return {}
    throw unreadable([{ path: '', message: 'needs a JSON body' }])
  }
  if (!/^application\/(?:[a-z0-9.-]+\+)?json *(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw unsupportedMediaType('the body must be application/json')
  const { 'content-encoding': encoding = 'identity' } = headers
  if (!/^identity$/i.test(encoding.trim())) throw unsupportedMediaType('the body must not be compressed')
  const charset = /; *charset *= *"?([^";, ]*)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  // JSON is UTF-8 whatever this says (RFC 8259, 8.1); those of which ASCII is no part would be misread.
  if (/^(utf-?(16|32)|ucs-?[24])/i.test(charset)) throw unsupportedMediaType('the body must be in UTF-8')
  const most = roomForParts(schema)
  if (partsIn(body, most) > most)
    throw unreadable([{ path: '', message: `has more than ${most} fields, objects and lists` }])
  if (!isUtf8(body)) throw unreadable([{ path: '', message: 'is not UTF-8' }])
  const text = body.toString('utf8')
  const parsed = parse(text)
  if (isDeeperThan(parsed, runtimeLimits.nesting))
    throw invalid([{ path: '', message: `is nested more than ${runtimeLimits.nesting} deep` }])
  const broken = hasSurrogate.test(text) ? brokenText(parsed) : undefined
  if (broken !== undefined) throw invalid([{ path: pointerOf(broken), message: 'has half of a surrogate pair' }])
  return parsed
}

/** In UTF-8, what is not a character can only be written as an escape; most bodies have none. */
const hasSurrogate = /\\u[dD][89a-fA-F]/

const halfPair = /\p{Surrogate}/u

/** Where a text is that UTF-8 cannot hold: stored, it would become another text. */
function brokenText(value: unknown): FieldPath | undefined {
  if (typeof value === 'string') return halfPair.test(value) ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof name === 'string' && halfPair.test(name)) return []
    const broken = brokenText(part)
    if (broken !== undefined) return [name, ...broken]
  }
  return undefined
}

/** Of a body in which there are no fields to be at fault. */
function unreadable(details: readonly ErrorDetail[]): AmpshardError {
  return invalid(details, { unreadable: true })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable([{ path: '', message: `is not JSON: ${(error as Error).message}` }])
  }
}
