// Errors in the OpenAPI document: which codes a route can answer with, their two forms, and an example of each.

import { type ErrorCode, errorCodes } from '../../runtime/errors.js'
import { limits } from '../../runtime/limits.js'
import type { Route } from '../pipeline/route.js'
import { headersOfError } from './headers.js'

type Json = Record<string, unknown>

/** Every code that a route can answer with: those that it declares, and those of the pipeline itself. */
export function codesOf(route: Route): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors ?? [])
  // Any request can have parameters that the route does not know, and prefer to be refused for them.
  codes.add('validation_error')
  if (route.body !== undefined) {
    codes.add('payload_too_large')
    codes.add('unsupported_media_type')
  }
  if (Object.keys(route.params.properties).length > 0) codes.add('not_found')
  if (route.credential === 'api_key') {
    for (const code of [
      'unauthorized',
      'forbidden',
      'rate_limit_exceeded',
      'shutting_down',
      'storage_unavailable',
    ] as const)
      codes.add(code)
    if (route.method === 'POST') codes.add('idempotency_conflict')
    if (route.sheddable !== 'never') codes.add('overloaded')
  }
  codes.add('internal_error')
  return [...codes]
}

const flatCodes: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limit_exceeded']

export const errorSchemas = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'request_id'],
        properties: {
          code: { type: 'string', enum: Object.keys(errorCodes) },
          message: { type: 'string', description: 'For people; it may change. Programs go by the code.' },
          request_id: {
            type: 'string',
            description: 'Also the header `X-Request-ID`; quote it when you ask for help.',
          },
          charge_point_id: { type: 'string' },
          command_id: { type: 'string' },
          details: {
            type: 'array',
            maxItems: limits.errorDetails,
            items: {
              type: 'object',
              required: ['path', 'message'],
              properties: {
                path: { type: 'string', description: "A JSON pointer into the body, or the parameter's name." },
                message: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
  AuthenticationError: {
    type: 'object',
    description: 'Failures of the key, its scopes and its quota have this flat form.',
    required: ['error', 'message', 'request_id'],
    properties: {
      error: { type: 'string', enum: flatCodes },
      message: { type: 'string' },
      request_id: { type: 'string' },
      required_scope: { type: 'string' },
      retry_after: { type: 'integer', description: 'seconds' },
    },
  },
}

const requestId = 'req_01JD5M3X8Q2V7K9T4N6P0R1S2W'

function flatExample(code: ErrorCode): Json {
  return {
    error: code,
    message: errorCodes[code].meaning,
    request_id: requestId,
    ...(code === 'forbidden' && { required_scope: 'write:charge_points' }),
    ...(code === 'rate_limit_exceeded' && { retry_after: 1_260 }),
  }
}

function nestedExample(code: ErrorCode): Json {
  const details = [{ path: '/name', message: 'must be a string' }]
  const error = { code, message: errorCodes[code].meaning, request_id: requestId }
  return { error: code === 'validation_error' ? { ...error, details } : error }
}

type Form = keyof typeof errorSchemas

/** A flat code that also comes nested has a second example. */
const exampleName = (code: ErrorCode, form: Form): string =>
  form === 'Error' && flatCodes.includes(code) ? `${code}_by_rule` : code

/** The components that the answers refer to. */
export const errorExamples: Json = Object.fromEntries(
  (Object.keys(errorCodes) as ErrorCode[]).flatMap((code) =>
    (flatCodes.includes(code) ? (['AuthenticationError', 'Error'] as const) : (['Error'] as const)).map((form) => [
      exampleName(code, form),
      { summary: errorCodes[code].meaning, value: form === 'Error' ? nestedExample(code) : flatExample(code) },
    ]),
  ),
)

/** Whether a code comes in the flat form, in the nested one, or in both: a scope is refused flat, a rule is not. */
export function formsOf(code: ErrorCode, route: Route): readonly Form[] {
  if (!flatCodes.includes(code)) return ['Error']
  return code === 'forbidden' && route.errors?.includes('forbidden')
    ? ['AuthenticationError', 'Error']
    : ['AuthenticationError']
}

function examplesOf(codes: readonly ErrorCode[], route: Route): Json {
  const names = codes.flatMap((code) => formsOf(code, route).map((form) => exampleName(code, form)))
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]))
}

export interface ErrorResponses {
  /** By status, as references. */
  of(route: Route): Json
  /** What they refer to: routes that answer with the same codes share one. */
  readonly components: Json
}

export function createErrorResponses(): ErrorResponses {
  const components: Json = {}
  const named = new Map<string, string>()

  function shared(codes: readonly ErrorCode[], response: Json): Json {
    const text = JSON.stringify(response)
    let name = named.get(text)
    if (name === undefined) {
      const wanted = codes.join('_or_')
      name = wanted in components ? `${wanted}_${named.size}` : wanted
      named.set(text, name)
      components[name] = response
    }
    return { $ref: `#/components/responses/${name}` }
  }

  return {
    components,
    of(route) {
      const byStatus = new Map<number, ErrorCode[]>()
      for (const code of codesOf(route)) {
        const { status } = errorCodes[code]
        byStatus.set(status, [...(byStatus.get(status) ?? []), code])
      }
      return Object.fromEntries(
        [...byStatus].map(([status, codes]) => [String(status), shared(codes, responseOf(codes, route))]),
      )
    },
  }
}

function responseOf(codes: readonly ErrorCode[], route: Route): Json {
  const forms = new Set(codes.flatMap((code) => formsOf(code, route)))
  const schemas = [...forms].map((form) => ({ $ref: `#/components/schemas/${form}` }))
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headersOfError(route, codes),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        examples: examplesOf(codes, route),
      },
    },
  }
}
