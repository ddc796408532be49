// API requests out of the OpenAPI document: valid ones, and ones with something wrong in path, query, headers or body.

import type { Random } from '../../bench/client/random.js'
import { between, oneOf } from '../chaos/scenario.js'
import { type JsonSchema, type Known, valueFor } from './schema-values.js'
import { hostileValue, jsonOf, mutateText, mutateValue, Raw } from './values.js'

export interface Operation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: JsonSchema
  }[]
  readonly body: JsonSchema | undefined
  readonly examples: readonly unknown[]
  readonly responses: Readonly<Record<string, JsonSchema | undefined>>
  /** Of errors, by status. */
  readonly codes: Readonly<Record<string, readonly string[]>>
}

export interface FuzzRequest {
  /** The operation that it is meant for; undefined when path or method were changed. */
  readonly operation: Operation | undefined
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

type Json = Readonly<Record<string, unknown>>

export function operationsOf(document: Json): Operation[] {
  const paths = dereferenced(document.paths, document) as Readonly<Record<string, Readonly<Record<string, Json>>>>
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const body = contentOf(operation.requestBody)
      return {
        method: method.toUpperCase(),
        path,
        operationId: String(operation.operationId),
        parameters: (operation.parameters ?? []) as Operation['parameters'],
        body: body?.schema,
        examples: examplesIn(operation.requestBody),
        responses: byStatus(operation, (response) => contentOf(response)?.schema),
        codes: byStatus(operation, (response) => examplesIn(response).map(codeIn)),
      }
    }),
  )
}

/** With everything that is referred to in its place. */
function dereferenced(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((part) => dereferenced(part, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: reference } = value as { $ref?: unknown }
  if (typeof reference === 'string') {
    const path = reference.replace('#/', '').split('/')
    const target = path.reduce<unknown>((at, name) => (at as Json | undefined)?.[name], document)
    return dereferenced(target, document)
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, dereferenced(part, document)]))
}

function byStatus<Value>({ responses }: Json, read: (response: unknown) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(responses as Json).map(([status, response]) => [status, read(response)]))
}

interface Content {
  readonly schema: JsonSchema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** Of what is nothing but JSON: a file may be of any type. */
function contentOf(part: unknown): Content | undefined {
  const { content = {} } = (part ?? {}) as { readonly content?: Readonly<Record<string, Content>> }
  return Object.keys(content).length === 1 ? content['application/json'] : undefined
}

function examplesIn(part: unknown): readonly unknown[] {
  return Object.values(contentOf(part)?.examples ?? {}).map(({ value }) => value)
}

/** The code in an error's body, in either form. */
export function codeIn(body: unknown): string {
  const { error } = body as { readonly error?: string | { readonly code?: string } }
  return typeof error === 'object' ? `${error.code}` : `${error}`
}

const oddSegments = [
  '%',
  '%zz',
  '%00',
  '..',
  '%2e%2e',
  'a%2Fb',
  '__proto__',
  '%F0%9F%98%80',
  '-',
  '0',
  'x'.repeat(3_000),
  '',
  '%ff',
  "'",
  '{id}',
]
const oddQueries = [
  'page=-1',
  'page=1e9',
  'page=99999999999999999999',
  'per_page=0',
  'a=b&a=c',
  '&&&',
  '=',
  '%',
  'page=%00',
  `q=${'x'.repeat(5_000)}`,
  '__proto__=1',
  'page[]=1',
]
const contentTypes = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/xml',
  '',
  'application/merge-patch+json',
  'APPLICATION/JSON',
  'multipart/form-data; boundary=x',
]
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']

export function nextRequest(
  random: Random,
  operations: readonly Operation[],
  known: Known,
  keys: readonly string[],
): FuzzRequest {
  const operation = oneOf(random, operations)
  const wild = random() < 0.5
  const segments: string[] = []
  let same = true
  for (const segment of operation.path.split('/')) {
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    if (name === undefined) segments.push(segment)
    else if (wild && random() < 0.3) {
      const odd = oneOf(random, oddSegments)
      // An empty segment is another path, and a query may not begin here.
      same = same && odd !== ''
      segments.push(odd)
    } else
      segments.push(
        encodeURIComponent(wellFormed(String(valueFor(schemaOf(operation, name), random, known, name)))) || '-',
      )
  }
  let path = segments.join('/')
  if (wild && random() < 0.03) {
    same = false
    path = oneOf(random, [
      `${path}/x`,
      `/${path}`,
      path.toUpperCase(),
      '/',
      '/api',
      `${path}//`,
      '/api/v1/../v1/sessions',
    ])
  }
  let method = operation.method
  if (wild && random() < 0.04) method = oneOf(random, methods)
  const query = queryOf(operation, random, known, wild)
  const { body, headers } = bodyOf(operation, random, known, wild)
  return {
    operation: same
      ? operations.find(
          ({ path: of, method: takes }) => of === operation.path && takes === (method === 'HEAD' ? 'GET' : method),
        )
      : undefined,
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...headers, ...authorization(random, keys, wild), ...ofPage(random, operation) },
    // A body where none belongs is sent as well, but for methods whose body Node.js would frame by guessing.
    body: body ?? (wild && random() < 0.1 && method !== 'TRACE' ? '{"odd":1}' : undefined),
  }
}

function schemaOf({ parameters }: Operation, name: string): JsonSchema {
  return parameters.find((parameter) => parameter.name === name)?.schema ?? { type: 'string' }
}

function queryOf({ parameters }: Operation, random: Random, known: Known, wild: boolean): string {
  if (wild && random() < 0.1) return oneOf(random, oddQueries)
  const parts: string[] = []
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'query' || (!required && random() < 0.6) || (wild && random() < 0.05)) continue
    let value = valueFor(schema, random, known, name)
    if (wild && random() < 0.25) value = mutateValue(value, random)
    const text = typeof value === 'string' ? value : jsonOf(value)
    parts.push(`${name}=${encodeURIComponent(wellFormed(text).slice(0, 4_000))}`)
  }
  return parts.join('&')
}

/** encodeURIComponent throws on lone surrogates. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}

function bodyOf(
  { body: schema, examples, method }: Operation,
  random: Random,
  known: Known,
  wild: boolean,
): { body: string | undefined; headers: Record<string, string> } {
  const headers: Record<string, string> = {}
  if (method === 'POST' && random() < 0.1)
    headers['idempotency-key'] = random() < 0.5 ? `key-${between(random, 0, 20)}` : 'x'.repeat(between(random, 1, 300))
  if (wild && random() < 0.05) headers['x-request-id'] = 'r'.repeat(between(random, 1, 200))
  if (schema === undefined) return { body: undefined, headers }
  headers['content-type'] = wild && random() < 0.05 ? oneOf(random, contentTypes) : 'application/json'
  if (wild && random() < 0.03) return { body: undefined, headers }
  let value =
    examples.length > 0 && random() < 0.4
      ? withKnown(oneOf(random, examples), random, known)
      : valueFor(schema, random, known)
  value = shortTimeout(value, schema, random)
  if (!wild) return { body: jsonOf(value), headers }
  const choice = random()
  if (choice < 0.7) return { body: jsonOf(shortTimeout(mutateValue(value, random), schema, random)), headers }
  if (choice < 0.85) return { body: mutateText(jsonOf(value), random), headers }
  if (choice < 0.99) return { body: jsonOf(hostileValue(random)), headers }
  return { body: `{"a":"${'x'.repeat(between(random, 1_048_500, 1_048_700))}"}`, headers }
}

/** An example with the ids of what exists in place of its own. */
function withKnown(example: unknown, random: Random, known: Known): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
  const named = ['charge_point_id', 'charge_point_ids'].filter((name) => name in example && random() < 0.9)
  const ids = named.map((name) => [name, name.endsWith('s') ? [known(name), known(name)] : known(name)])
  return { ...structuredClone(example), ...Object.fromEntries(ids) }
}

/** A command waits as long as it is told to, or half a minute: nobody here has the time. */
function shortTimeout(value: unknown, { properties }: JsonSchema, random: Random): unknown {
  if (properties?.timeout_seconds === undefined) return value
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Raw) return value
  const { timeout_seconds: given } = value as { timeout_seconds?: unknown }
  const waits = given === undefined || (typeof given === 'number' && given >= 1)
  return waits ? { ...value, timeout_seconds: between(random, 1, 2) } : value
}

/** The console takes requests of its own pages alone: most of these say that they are. */
function ofPage(random: Random, { path }: Operation): Record<string, string> {
  if (!path.startsWith('/api/v1/console/') || random() < 0.1) return {}
  return { 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console', origin: 'http://localhost' }
}

const oddCookies = [
  `__Host-ampshard=${'0'.repeat(26)}_${'a'.repeat(43)}`,
  '__Host-ampshard=',
  '__Host-ampshard=a; __Host-ampshard=b',
  ';;;=;',
  `ampshard=${'x'.repeat(3_000)}`,
  '__Host-ampshard==%00',
]

function authorization(random: Random, keys: readonly string[], wild: boolean): Record<string, string> {
  const key = oneOf(random, keys)
  if (!wild || random() < 0.9) return random() < 0.8 ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
  return oneOf(random, [
    {},
    { authorization: 'Bearer' },
    { authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` },
    { authorization: `bearer  ${key}` },
    { authorization: `Bearer ${key.slice(1)}` },
    { authorization: `Bearer ${'x'.repeat(3_000)}` },
    { 'x-api-key': `ak_${'0'.repeat(26)}_${'a'.repeat(43)}` },
    { cookie: oneOf(random, oddCookies), 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console' },
  ])
}
