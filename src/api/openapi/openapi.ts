// The OpenAPI 3.1 document, made from the routes' declarations: what is documented is what is checked.

import type { TObject, TSchema } from 'typebox'
import { errorKinds } from '../../runtime/errors.js'
import { limits } from '../pipeline/limits.js'
import { isMediaTypes, type Route } from '../pipeline/route.js'
import { createErrorResponses, type ErrorResponses, errorSchemas } from './errors.js'
import { openApiWebhooks } from './event-schemas.js'
import { exampleOf } from './example.js'
import { guideOf } from './guide.js'
import { headers, headersOfSuccess } from './headers.js'
import { type Components, createComponents } from './named-schemas.js'

export interface OpenApiOptions {
  readonly version: string
}

type Json = Record<string, unknown>

function successResponses(route: Route, components: Components): Json {
  const responses: Json = {}
  for (const [status, schema] of Object.entries(route.responses)) {
    const response = { description: route.summary, headers: headersOfSuccess(route) }
    if (schema === null) responses[status] = response
    else if (isMediaTypes(schema)) {
      const types = [schema].flat().map((type) => type.split(';')[0] as string)
      responses[status] = {
        ...response,
        content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
      }
    } else {
      const sent = route.surface.envelope.success?.schema(schema) ?? schema
      const content = { schema: components.reference(sent), examples: { answer: { value: exampleOf(sent) } } }
      responses[status] = { ...response, content: { 'application/json': content } }
    }
  }
  return responses
}

function parametersOf(place: 'path' | 'query' | 'header', schema: TObject): Json[] {
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties as Record<string, TSchema & { description?: string; default?: unknown }>).map(
    ([name, property]) => ({
      name,
      in: place,
      // A parameter with a default need not be sent.
      required: place === 'path' || (required.has(name) && property.default === undefined),
      ...(property.description === undefined ? {} : { description: property.description }),
      schema: property,
    }),
  )
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeat with the same key and the same request within 24 hours gets the first answer again, with `Idempotent-Replayed: true`, ' +
    'and sends nothing to a charge point for a second time. JSON with its fields in another order is the same request; another one is ' +
    '409 `idempotency_conflict`. Every 2xx answer is kept, and every error that the same request would get again (`charge_point_offline`, ' +
    '`ocpp_rejected` and `timeout`, for example). An error that leaves it open whether the charge point was sent something ' +
    '(503 `overloaded` with a `command_id`) is kept too: use another key to send it again. Not kept are 400, 429, and 500 or 503 ' +
    'before anything was done.',
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharacters },
}

const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`handling=strict` (RFC 7240) refuses a request with fields or parameters that this operation does not know: 400 `validation_error`, ' +
    'with each of them in `details`. Without it, they are ignored and named in the header `X-Ampshard-Unknown-Fields`.',
  schema: { type: 'string', examples: ['handling=strict'] },
}

function operation(route: Route, components: Components, errors: ErrorResponses): Json {
  const scopes = route.scopes.map((scope) => `\`${scope}\``).join(' or ')
  const description = [route.description, scopes === '' ? undefined : `Scope: ${scopes}.`]
  const parameters = [
    ...parametersOf('path', route.params),
    ...parametersOf('query', route.query),
    ...parametersOf('header', route.headers),
    { $ref: '#/components/parameters/Prefer' },
  ]
  if (route.method === 'POST' && route.surface.callers?.repeats !== undefined) parameters.push(idempotencyKey)
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: description.filter((part) => part !== undefined).join('\n\n'),
    tags: route.tags,
    security: route.surface.callers?.credential.security ?? [],
    parameters,
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body, components) }),
    responses: { ...successResponses(route, components), ...errors.of(route) },
  }
}

function requestBody(route: Route, schema: TSchema, components: Components): Json {
  const declared = Object.entries(route.examples ?? {}).map(([name, value]) => [name, { value }])
  return {
    required: route.bodyOptional !== true,
    content: {
      'application/json': {
        schema: components.referenceInput(schema),
        ...(declared.length > 0 && { examples: Object.fromEntries(declared) }),
      },
    },
  }
}

/** In the order of the routes, each with what is under it. */
function tagsOf(routes: readonly Route[]): Json[] {
  const named = new Set(routes.flatMap(({ tags }) => tags))
  return [...named].map((name) => {
    const description = routes.find(({ tags, about }) => tags.includes(name) && about !== undefined)?.about
    return { name, ...(description !== undefined && { description }) }
  })
}

export function openApiDocument(routes: readonly Route[], { version }: OpenApiOptions): Json {
  const components = createComponents()
  const errors = createErrorResponses()
  const kinds = errorKinds()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    const item = paths[route.path] as Json
    item[route.method.toLowerCase()] = operation(route, components, errors)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'ampshard',
      version,
      summary: 'Charge point management over OCPP 1.6-J.',
      description: guideOf(routes),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf(routes),
    paths,
    webhooks: openApiWebhooks(),
    components: {
      securitySchemes: Object.assign({}, ...routes.map(({ surface }) => surface.callers?.credential.securitySchemes)),
      parameters: { Prefer: prefer },
      headers,
      examples: errors.examples,
      responses: errors.components,
      schemas: { ...errorSchemas(routes, kinds), ...components.schemas },
    },
  }
}
