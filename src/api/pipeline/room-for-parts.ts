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
  const most = known.get(schema) ?? partsOf(schema as Shape) + limits.unknownParts
  known.set(schema, most)
  return most
}

function partsOf(shape: Shape): number {
  const { anyOf = [], oneOf = [], allOf = [] } = shape
  const together = [...allOf.map(partsOf), largest(anyOf), largest(oneOf)]
  return partsOfObject(shape) + partsOfList(shape) + sum(together)
}

function partsOfObject({ type, properties, patternProperties, additionalProperties }: Shape): number {
  const named = Object.values(properties ?? {}).map((field) => 1 + partsOf(field))
  const takesOthers = patternProperties !== undefined || (additionalProperties ?? false) !== false
  const isFree = takesOthers || (type === 'object' && properties === undefined)
  return (isFree ? limits.freeParts : 0) + (properties === undefined ? 0 : 1 + sum(named))
}

function partsOfList({ items, maxItems }: Shape): number {
  if (items === undefined) return 0
  const entries = (Array.isArray(items) ? items : [items as Shape]).map(partsOf)
  const each = sum(entries)
  if (Array.isArray(items) || each === 0) return 1 + each
  return 1 + (maxItems === undefined ? Math.max(each, limits.freeParts) : maxItems * each)
}

const largest = (shapes: readonly Shape[]): number => Math.max(0, ...shapes.map(partsOf))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
