// The OpenAPI 3.1 document, made from the routes' declarations: what is documented is what is checked.

import type { TObject, TSchema } from 'typebox'
import { type ErrorCode, errorCodes } from '../runtime/errors.js'
import { limits } from '../runtime/limits.js'
import { openApiWebhooks } from './event-schemas.js'
import type { Route } from './route.js'

export interface OpenApiOptions {
  readonly version: string
}

type Json = Record<string, unknown>

/** Codes that the pipeline itself gives, beyond what a route declares. */
function codesOf(route: Route): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors ?? [])
  const takesInput = route.body !== undefined || Object.keys(route.query.properties).length > 0
  if (takesInput || route.method === 'POST') codes.add('validation_error')
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

const errorSchemas = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'request_id'],
        properties: {
          code: { type: 'string', enum: Object.keys(errorCodes) },
          message: { type: 'string' },
          request_id: { type: 'string' },
          charge_point_id: { type: 'string' },
          command_id: { type: 'string' },
          details: {
            type: 'array',
            maxItems: limits.errorDetails,
            items: {
              type: 'object',
              required: ['path', 'message'],
              properties: {
                path: { type: 'string', description: "a JSON pointer into the body, or the parameter's name" },
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

function schemaRef(name: keyof typeof errorSchemas): Json {
  return { $ref: `#/components/schemas/${name}` }
}

function errorResponses(route: Route): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codesOf(route)) {
    const { status } = errorCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses: Json = {}
  for (const [status, codes] of byStatus) {
    const forms = new Set(codes.map((code) => (flatCodes.includes(code) ? 'AuthenticationError' : 'Error')))
    // 403 of a scope is flat, that of a rule is not.
    if (status === 403 && route.errors?.includes('forbidden')) forms.add('Error')
    const schemas = [...forms].map((form) => schemaRef(form as keyof typeof errorSchemas))
    const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas }
    responses[String(status)] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': { schema } },
    }
  }
  return responses
}

function successResponses(route: Route): Json {
  const responses: Json = {}
  for (const [status, schema] of Object.entries(route.responses)) {
    if (schema === null) responses[status] = { description: 'Done' }
    else if (typeof schema === 'string')
      responses[status] = {
        description: 'Success',
        content: { [schema.split(';')[0] as string]: { schema: { type: 'string' } } },
      }
    else responses[status] = { description: 'Success', content: { 'application/json': { schema } } }
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
  description: 'A repeat with the same key within 24 hours gets the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharacters },
}

function operation(route: Route): Json {
  const scopes = route.scopes.map((scope) => `\`${scope}\``).join(' or ')
  const description = [route.description, scopes === '' ? undefined : `Scope: ${scopes}.`]
  const parameters = [
    ...parametersOf('path', route.params),
    ...parametersOf('query', route.query),
    ...parametersOf('header', route.headers),
  ]
  if (route.method === 'POST' && route.credential === 'api_key') parameters.push(idempotencyKey)
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: description.filter((part) => part !== undefined).join('\n\n'),
    tags: route.tags,
    security: route.credential === 'none' ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body) }),
    responses: { ...successResponses(route), ...errorResponses(route) },
  }
}

function requestBody(route: Route, schema: TSchema): Json {
  const examples = Object.entries(route.examples ?? {}).map(([name, value]) => [name, { value }])
  return {
    required: route.bodyOptional !== true,
    content: {
      'application/json': { schema, ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }) },
    },
  }
}

export function openApiDocument(routes: readonly Route[], { version }: OpenApiOptions): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    const item = paths[route.path] as Json
    item[route.method.toLowerCase()] = operation(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'ampshard',
      version,
      description: 'Charge point management: operator commands, OCPP 1.6 commands, charge points, sessions, keys.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.flatMap((route) => route.tags))].map((name) => ({ name })),
    paths,
    webhooks: openApiWebhooks(),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key' },
      },
      schemas: errorSchemas,
    },
  }
}
