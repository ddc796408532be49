// Values that a JSON Schema takes, made from one random source. It knows the keywords that the API's document uses.

import fc from 'fast-check'
import type { Random } from '../../bench/client/random.js'
import { between, oneOf } from '../chaos/scenario.js'

export interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly multipleOf?: number
  readonly pattern?: string
  readonly format?: string
}

/** Gives a known value for a named property (an id that exists, say), or undefined. */
export type Known = (name: string) => unknown

const patternSamples = new Map<string, readonly string[]>()

function matching(pattern: string, random: Random): string {
  let samples = patternSamples.get(pattern)
  if (samples === undefined) {
    samples = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 40, seed: 1 })
    patternSamples.set(pattern, samples)
  }
  return oneOf(random, samples)
}

export function valueFor(schema: JsonSchema, random: Random, known: Known, name = ''): unknown {
  const given = schema.type !== 'array' && random() < 0.8 ? known(name) : undefined
  if (given !== undefined) return given
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return oneOf(random, schema.enum)
  if (schema.anyOf !== undefined) return valueFor(oneOf(random, schema.anyOf), random, known, name)
  switch (schema.type) {
    case 'object':
      return objectOf(schema, random, known)
    case 'array': {
      const least = schema.minItems ?? 0
      const length = between(random, least, Math.min(schema.maxItems ?? 4, least + 3))
      return Array.from({ length }, () => valueFor(schema.items ?? {}, random, known, name))
    }
    case 'integer':
      return integerOf(schema, random)
    case 'number': {
      const [low, high] = [schema.minimum ?? -1_000, schema.maximum ?? 1_000]
      const value = low + random() * (high - low)
      return schema.multipleOf === undefined ? value : Math.round(value / schema.multipleOf) * schema.multipleOf
    }
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    case 'string':
      return textOf(schema, random)
    default:
      return oneOf(random, [null, 1, 'a', {}, []])
  }
}

function objectOf(schema: JsonSchema, random: Random, known: Known): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) === true || random() < 0.5) made[name] = valueFor(property, random, known, name)
  }
  if (schema.properties === undefined && random() < 0.5) made.connector_id = between(random, 0, 2)
  return made
}

function integerOf({ minimum, maximum }: JsonSchema, random: Random): number {
  const low = minimum ?? -1_000
  const high = maximum ?? 1_000_000
  return random() < 0.2 ? oneOf(random, [low, high]) : between(random, low, Math.min(high, low + 200))
}

function textOf({ pattern, format, minLength = 0, maxLength = 40 }: JsonSchema, random: Random): string {
  if (format === 'date-time') return new Date(1.76e12 + between(random, -2e9, 2e9)).toISOString()
  if (format === 'email') return `a${between(random, 0, 99)}@example.com`
  if (format === 'uri') return 'ftp://example.com/file'
  if (pattern !== undefined) return matching(pattern, random).slice(0, maxLength)
  const length = between(random, minLength, Math.min(maxLength, minLength + 20))
  return Array.from({ length }, () => oneOf(random, ['a', 'Z', '0', '-', ' ', 'é', '😀']))
    .join('')
    .slice(0, maxLength)
}
