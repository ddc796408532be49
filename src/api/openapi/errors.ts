// Errors in the OpenAPI document: which codes a route can answer with, the forms of its surface, and an example of each.

import {
  type ErrorKind,
  internalError,
  notFound,
  overloaded,
  storageUnavailable,
  validationError,
} from '../../runtime/errors.js'
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
import type { ErrorForm } from '../pipeline/surface.js'
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

function errorsOfSurface({
  surface: { callers, shedFrom },
  method,
  scopes,
  requires,
  sheddable,
}: Route): readonly ErrorKind[] {
  return [
    ...(callers === undefined ? [] : [unauthorized, ...(callers.credential.errors ?? [])]),
    ...requires.map(({ error }) => error),
    ...(scopes.length === 0 ? [] : [forbidden]),
    ...(callers === undefined || callers.requestsPerHour !== undefined ? [rateLimitExceeded] : []),
    ...(shedFrom === undefined ? [] : [shuttingDown, storageUnavailable]),
    ...(callers?.repeats === undefined || method !== 'POST' ? [] : [idempotencyConflict]),
    ...(shedFrom === undefined || sheddable === 'never' ? [] : [overloaded]),
  ]
}

/** The forms that an error comes in from a route. */
export function formsOf(kind: ErrorKind, route: Route): readonly ErrorForm[] {
  return route.surface.envelope.errorForms.filter((form) => form.has(kind, route))
}

function formsIn(routes: readonly Route[]): readonly ErrorForm[] {
  return [...new Set(routes.flatMap(({ surface }) => surface.envelope.errorForms))]
}

/** The components that the answers refer to. */
export function errorSchemas(routes: readonly Route[], kinds: readonly ErrorKind[]): Json {
  return Object.fromEntries(formsIn(routes).map(({ name, schema }) => [name, schema(kinds)]))
}

export interface ErrorResponses {
  /** By status, as references. */
  of(route: Route): Json
  /** What they refer to: routes that answer with the same codes share one. */
  readonly components: Json
  /** One of each error, in each form in which a route answers with it. */
  readonly examples: Json
}

export function createErrorResponses(): ErrorResponses {
  const components: Json = {}
  const examples: Json = {}
  const named = new Map<string, string>()

  function shared(kinds: readonly ErrorKind[], response: Json): Json {
    const text = JSON.stringify(response)
    let name = named.get(text)
    if (name === undefined) {
      const wanted = kinds.map(({ code }) => code).join('_or_')
      name = wanted in components ? `${wanted}_${named.size}` : wanted
      named.set(text, name)
      components[name] = response
    }
    return { $ref: `#/components/responses/${name}` }
  }

  function examplesOf(kinds: readonly ErrorKind[], route: Route): Json {
    const shown = kinds.flatMap((kind) =>
      formsOf(kind, route).map((form) => ({ summary: kind.meaning, ...form.example(kind) })),
    )
    return Object.fromEntries(
      shown.map(({ name, ...example }) => {
        examples[name] = example
        return [name, { $ref: `#/components/examples/${name}` }]
      }),
    )
  }

  function responseOf(kinds: readonly ErrorKind[], route: Route): Json {
    const forms = new Set(kinds.flatMap((kind) => formsOf(kind, route)))
    const schemas = [...forms].map(({ name }) => ({ $ref: `#/components/schemas/${name}` }))
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

  return {
    components,
    examples,
    of(route) {
      const byStatus = new Map<number, ErrorKind[]>()
      const { statusOf = ({ status }: ErrorKind) => status } = route.surface.envelope
      for (const kind of errorsOf(route)) {
        const status = statusOf(kind)
        // What comes with the status of an answer is in the schema of the answer.
        if (!(status in route.responses)) byStatus.set(status, [...(byStatus.get(status) ?? []), kind])
      }
      return Object.fromEntries(
        [...byStatus].map(([status, kinds]) => [String(status), shared(kinds, responseOf(kinds, route))]),
      )
    },
  }
}
