// A request's body as JSON: parsed once, whoever of the steps asks for it.

import { AmpshardError } from '../../../runtime/errors.js'
import { limits as runtimeLimits } from '../../../runtime/limits.js'
import { isDeeperThan } from '../../../runtime/nesting.js'
import { payloadTooLarge, unsupportedMediaType } from '../errors.js'
import { limits } from '../limits.js'
import type { ApiRequest } from '../message.js'
import type { Route } from '../route.js'
import { invalid } from './validate.js'

export interface JsonBody {
  /** Throws `payload_too_large`, `unsupported_media_type` or `validation_error`. */
  read(): unknown
  /** Undefined where there is none that can be read. */
  peek(): unknown
}

export function jsonBody(request: ApiRequest, route: Pick<Route, 'bodyOptional'>): JsonBody {
  let parsed: { readonly value: unknown } | undefined
  const read = (): unknown => {
    parsed ??= { value: readBody(request, route) }
    return parsed.value
  }
  return {
    read,
    peek() {
      if (request.body === undefined || request.body === 'too-large' || request.body.length === 0) return undefined
      try {
        return read()
      } catch (error) {
        if (error instanceof AmpshardError) return undefined
        throw error
      }
    },
  }
}

function readBody({ body, headers }: ApiRequest, { bodyOptional }: Pick<Route, 'bodyOptional'>): unknown {
  if (body === 'too-large' || (body !== undefined && body.length > limits.requestBodyBytes))
    throw payloadTooLarge(`a body has at most ${limits.requestBodyBytes} bytes`)
  if (body === undefined || body.length === 0) {
    if (bodyOptional === true) return {}
    throw invalid([{ path: '', message: 'needs a JSON body' }])
  }
  if (!/^application\/(?:[a-z0-9.-]+\+)?json *(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw unsupportedMediaType('the body must be application/json')
  const parsed = parse(body)
  if (isDeeperThan(parsed, runtimeLimits.nesting))
    throw invalid([{ path: '', message: `is nested more than ${runtimeLimits.nesting} deep` }])
  return parsed
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw invalid([{ path: '', message: `is not JSON: ${(error as Error).message}` }])
  }
}
