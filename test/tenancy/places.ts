// Where a route takes identifiers: found in its schemas, never listed by hand, so that a new route is seen by itself.
// It does not know what an identifier is of.

import type { TSchema } from 'typebox'
import type { Route } from '../../src/api/pipeline/route.js'

export interface Place {
  readonly operationId: string
  readonly in: 'path' | 'query' | 'body'
  readonly name: string
  /** The way to it in the body; `[]` is every element of an array. */
  readonly at: readonly string[]
  /** A list of identifiers. */
  readonly many: boolean
  readonly required: boolean
  /** It has a default. */
  readonly filled: boolean
}

interface Schema {
  readonly type?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Every parameter, and every property of the body at any depth. */
export function placesOf({ operationId, params, query, body }: Route): Place[] {
  const at = (kind: 'path' | 'query', schema: Schema): Place[] =>
    Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      operationId,
      in: kind,
      name,
      at: [name],
      many: property.type === 'array',
      required: schema.required?.includes(name) === true,
      filled: property.default !== undefined,
    }))
  return [
    ...at('path', params as Schema),
    ...at('query', query as Schema),
    ...(body === undefined ? [] : inBody(operationId, body as TSchema & Schema, [])),
  ]
}

function inBody(operationId: string, schema: Schema, at: readonly string[]): Place[] {
  const found = new Map<string, Place>()
  const add = (places: readonly Place[]): void => {
    for (const place of places) found.set(place.at.join('.'), place)
  }
  for (const choice of schema.anyOf ?? []) add(inBody(operationId, choice, at))
  if (schema.items !== undefined) add(inBody(operationId, schema.items, [...at, '[]']))
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const here = [...at, name]
    add([
      {
        operationId,
        in: 'body',
        name,
        at: here,
        many: property.type === 'array',
        required: schema.required?.includes(name) === true,
        filled: property.default !== undefined,
      },
    ])
    add(inBody(operationId, property, here))
  }
  return [...found.values()]
}

/** A name that ends as identifiers do; a parameter of the path is one whatever it is called. */
export function looksLikeIdentifier({ in: kind, name }: Place): boolean {
  return (
    kind === 'path' || /(^|_)(ids?|tokens?|tags?|cursor|by)$/i.test(name) || /[a-z](Ids?|Tokens?|Tags?)$/.test(name)
  )
}
