// The shape of the OpenAPI document: what clients are generated from, without the words that people read. One line for each operation,
// webhook and component, sorted, so that whoever changes the contract sees in the diff what has changed.

import { createHash } from 'node:crypto'
import { openApiDocument } from '../src/api/openapi/openapi.js'
import type { Route } from '../src/api/pipeline/route.js'

type Json = { readonly [name: string]: unknown }

/** Written for people: they may change without changing the contract. */
const words = new Set(['description', 'summary', 'example', 'examples', 'title', 'x-meaning'])

/** What stands under them are names, which may be the same as those of words. */
const namesBelow = new Set(['properties', 'patternProperties', 'content', 'responses'])

/** Lists whose order means nothing. */
const sets = new Set(['required', 'security', 'parameters', 'anyOf', 'oneOf'])

export function openApiShape(routes: readonly Route[]): string {
  const document = openApiDocument(routes, { version: '' }) as Json
  const components = document.components as { readonly [kind: string]: Json }
  const byId = new Map(routes.map((route) => [route.operationId, route]))
  const answers = new Map<string, string>()
  const lines: (readonly [name: string, value: unknown])[] = [
    ...operationsOf(document.paths as Json).map(([name, operation]) => {
      const route = byId.get(operation.operationId as string)
      return [name, { ...behaviourOf(route), ...resolved(operation, components.responses as Json, answers) }] as const
    }),
    ...operationsOf(document.webhooks as Json),
    ...Object.entries(components.schemas as Json).map(([name, schema]) => [`schema ${name}`, schema] as const),
    ...Object.entries(components.headers as Json).map(([name, schema]) => [`header ${name}`, schema] as const),
  ]
  const shapes = lines.map(([name, value]) => `${name} ${JSON.stringify(shapeOf(value))}`)
  return `${[...shapes, ...[...answers].map(([name, text]) => `error ${name} ${text}`)].sort().join('\n')}\n`
}

function operationsOf(paths: Json): (readonly [string, Json])[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as Json] as const,
    ),
  )
}

/** What the document says in words only, or leaves out. */
function behaviourOf(route: Route | undefined): Json {
  return {
    scopes: [...(route?.scopes ?? [])].sort(),
    sheddable: route?.sheddable,
    secret: route?.secret,
    changesNothing: route?.changesNothing,
  }
}

/** With the codes of its errors in the place of the components that show them, whose names follow from the order of the codes. */
function resolved(operation: Json, components: Json, shared: Map<string, string>): Json {
  const responses = Object.entries(operation.responses as Json).map(([status, response]) => {
    const name = (response as { readonly $ref?: string }).$ref?.split('/').at(-1)
    if (name === undefined) return [status, response]
    const component = components[name] as { readonly description: string }
    const text = JSON.stringify(shapeOf(component))
    const codes = component.description.replaceAll('`', '').split(', ').sort().join(' ')
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 6)
    shared.set(digest, text)
    return [status, `${codes} #errors/${digest}`]
  })
  return { ...operation, responses: Object.fromEntries(responses) }
}

function shapeOf(value: unknown, key = '', named = false): unknown {
  if (Array.isArray(value)) {
    const parts = value.map((part) => shapeOf(part))
    return sets.has(key) || isErrorCodes(value) ? parts.sort(byText) : parts
  }
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { readonly $ref?: unknown }
  if (typeof $ref === 'string') return $ref.replace('#/components/', '#')
  // Headers are components, each under its own name.
  if (key === 'headers') return Object.keys(value).sort().join(' ')
  const entries = Object.entries(value)
    .filter(([name]) => named || !words.has(name))
    .map(([name, part]) => [name, shapeOf(part, name, !named && namesBelow.has(name))] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** They are declared all over the service, in no order. */
function isErrorCodes(value: readonly unknown[]): boolean {
  return value.includes('internal_error')
}

function byText(one: unknown, other: unknown): number {
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)]
  return first < second ? -1 : first > second ? 1 : 0
}
