// How much a body may have in it: as many fields, objects and lists as its schema has room for, and some that it does not know. Each costs as much to
// read as a hundred characters, so that what no route could take is refused before it is read.

import type { TSchema } from 'typebox'
import { limits } from './limits.js'

interface Shape {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: object
  readonly additionalProperties?: unknown
  readonly items?: Shape | readonly Shape[]
  readonly maxItems?: number
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

const known = new WeakMap<TSchema, number>()

/** Fields, objects and lists of a body with this schema. */
export function roomForParts(schema: TSchema): number {
  const most = known.get(schema) ?? roomOf(schema as Shape)
  known.set(schema, most)
  return most
}

function roomOf(schema: Shape): number {
  return partsOf(schema) + limits.unknownParts + (isUnbounded(schema) ? limits.freeParts : 0)
}

/** A list without a bound counts as one of one entry. */
function partsOf(shape: Shape): number {
  const { properties, items, maxItems = 1, anyOf = [], oneOf = [], allOf = [] } = shape
  const fields = Object.values(properties ?? {})
  const ofObject = properties === undefined ? 0 : 1 + fields.length + sum(fields)
  const ofList = items === undefined ? 0 : 1 + (isTuple(items) ? sum(items) : maxItems * partsOf(items))
  return ofObject + ofList + sum(allOf) + largest(anyOf) + largest(oneOf)
}

/** Whether it takes an object with any fields, or a list of any length. */
function isUnbounded(shape: Shape): boolean {
  const { type, properties, patternProperties, additionalProperties = false, items, maxItems } = shape
  if (patternProperties !== undefined || additionalProperties !== false) return true
  if (type === 'object' && properties === undefined) return true
  if (items !== undefined && !isTuple(items) && maxItems === undefined) return true
  return inner(shape).some(isUnbounded)
}

function inner({ properties = {}, items = [], anyOf = [], oneOf = [], allOf = [] }: Shape): readonly Shape[] {
  return [...Object.values(properties), ...(isTuple(items) ? items : [items]), ...anyOf, ...oneOf, ...allOf]
}

const isTuple = (items: Shape | readonly Shape[]): items is readonly Shape[] => Array.isArray(items)

const largest = (shapes: readonly Shape[]): number => Math.max(0, ...shapes.map(partsOf))

const sum = (shapes: readonly Shape[]): number => shapes.reduce((total, shape) => total + partsOf(shape), 0)
