// Errors in the OpenAPI document: which codes a route can answer with, their two forms, and an example of each.

import {
  type ErrorKind,
  internalError,
  notFound,
  overloaded,
  storageUnavailable,
  validationError,
} from '../../runtime/errors.js'
import { limits } from '../../runtime/limits.js'
import {
  forbidden,
  idempotencyConflict,
  payloadTooLarge,
  rateLimitExceeded,
  shuttingDown,
  unauthorized,
  unsupportedMediaType,
} from '../pipeline/errors.js'
import type { Route } from '../pipeline/route.js'
import { headersOfError } from './headers.js'

type Json = Record<string, unknown>

/** Every error that a route can answer with: those that it declares, and those of the pipeline itself. */
export function errorsOf(route: Route): readonly ErrorKind[] {
  const kinds = new Set<ErrorKind>(route.errors ?? [])
  // Any request can have parameters that the route does not know, and prefer to be refused for them.
  kinds.add(validationError)
  if (route.body !== undefined) {
    kinds.add(payloadTooLarge)
    kinds.add(unsupportedMediaType)
  }
  if (Object.keys(route.params.properties).length > 0) kinds.add(notFound)
  for (const kind of errorsOfSurface(route)) kinds.add(kind)
  kinds.add(internalError)
  return [...kinds]
}

function errorsOfSurface({ surface: { callers, shedFrom }, method, scopes, sheddable }: Route): readonly ErrorKind[] {
  return [
    ...(callers === undefined ? [] : [unauthorized]),
    ...(scopes.length === 0 ? [] : [forbidden]),
    ...(callers?.requestsPerHour === undefined ? [] : [rateLimitExceeded]),
    ...(shedFrom === undefined ? [] : [shuttingDown, storageUnavailable]),
    ...(callers?.repeats === undefined || method !== 'POST' ? [] : [idempotencyConflict]),
    ...(shedFrom === undefined || sheddable === 'never' ? [] : [overloaded]),
  ]
}

const flatKinds: readonly ErrorKind[] = [unauthorized, forbidden, rateLimitExceeded]

const codes = (kinds: readonly ErrorKind[]): readonly string[] => kinds.map(({ code }) => code)

export const errorSchemas = (kinds: readonly ErrorKind[]) => ({
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'request_id'],
        properties: {
          code: { type: 'string', enum: codes(kinds) },
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
      error: { type: 'string', enum: codes(flatKinds) },
      message: { type: 'string' },
      request_id: { type: 'string' },
      required_scope: { type: 'string' },
      retry_after: { type: 'integer', description: 'seconds' },
    },
  },
})

const requestId = 'req_01JD5M3X8Q2V7K9T4N6P0R1S2W'

function flatExample(kind: ErrorKind): Json {
  return {
    error: kind.code,
    message: kind.meaning,
    request_id: requestId,
    ...(kind === forbidden && { required_scope: 'write:charge_points' }),
    ...(kind === rateLimitExceeded && { retry_after: 1_260 }),
  }
}

function nestedExample(kind: ErrorKind): Json {
  const details = [{ path: '/name', message: 'must be a string' }]
  const error = { code: kind.code, message: kind.meaning, request_id: requestId }
  return { error: kind === validationError ? { ...error, details } : error }
}

type Form = keyof ReturnType<typeof errorSchemas>

/** A flat code that also comes nested has a second example. */
const exampleName = (kind: ErrorKind, form: Form): string =>
  form === 'Error' && flatKinds.includes(kind) ? `${kind.code}_by_rule` : kind.code

/** The components that the answers refer to. */
export const errorExamples = (kinds: readonly ErrorKind[]): Json =>
  Object.fromEntries(
    kinds.flatMap((kind) =>
      (flatKinds.includes(kind) ? (['AuthenticationError', 'Error'] as const) : (['Error'] as const)).map((form) => [
        exampleName(kind, form),
        { summary: kind.meaning, value: form === 'Error' ? nestedExample(kind) : flatExample(kind) },
      ]),
    ),
  )

/** Whether a code comes in the flat form, in the nested one, or in both: a scope is refused flat, a rule is not. */
export function formsOf(kind: ErrorKind, route: Route): readonly Form[] {
  if (!flatKinds.includes(kind)) return ['Error']
  return kind === forbidden && route.errors?.includes(forbidden)
    ? ['AuthenticationError', 'Error']
    : ['AuthenticationError']
}

function examplesOf(kinds: readonly ErrorKind[], route: Route): Json {
  const names = kinds.flatMap((kind) => formsOf(kind, route).map((form) => exampleName(kind, form)))
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

  function shared(kinds: readonly ErrorKind[], response: Json): Json {
    const text = JSON.stringify(response)
    let name = named.get(text)
    if (name === undefined) {
      const wanted = codes(kinds).join('_or_')
      name = wanted in components ? `${wanted}_${named.size}` : wanted
      named.set(text, name)
      components[name] = response
    }
    return { $ref: `#/components/responses/${name}` }
  }

  return {
    components,
    of(route) {
      const byStatus = new Map<number, ErrorKind[]>()
      for (const kind of errorsOf(route)) byStatus.set(kind.status, [...(byStatus.get(kind.status) ?? []), kind])
      return Object.fromEntries(
        [...byStatus].map(([status, kinds]) => [String(status), shared(kinds, responseOf(kinds, route))]),
      )
    },
  }
}

function responseOf(kinds: readonly ErrorKind[], route: Route): Json {
  const forms = new Set(kinds.flatMap((kind) => formsOf(kind, route)))
  const schemas = [...forms].map((form) => ({ $ref: `#/components/schemas/${form}` }))
  return {
    description: kinds.map(({ code }) => `\`${code}\``).join(', '),
    headers: headersOfError(route, kinds),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        examples: examplesOf(kinds, route),
      },
    },
  }
}
