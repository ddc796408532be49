// An example value of a schema: the examples that its parts declare, those of fields of their names, or plain ones of their types.

import type { TSchema } from 'typebox'
import { exampleValues } from './example-values.js'

interface Schema {
  readonly type?: string
  readonly examples?: readonly unknown[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
}

const exampleTime = '2026-11-20T09:30:00.000Z'

/** Optional properties have their example as well: whoever reads it sees all that may come. */
export function exampleOf(schema: TSchema, name?: string): unknown {
  const { type, examples, const: constant, enum: values, anyOf, format, minimum, properties, items } = schema as Schema
  const { maxLength } = schema as Schema
  if (examples?.[0] !== undefined) return examples[0]
  if (constant !== undefined) return constant
  if (values?.[0] !== undefined) return values[0]
  const byName = name === undefined ? undefined : exampleValues[name]
  if (byName !== undefined && fits(schema, byName)) return byName
  // OCPI has some numbers as texts.
  if (typeof byName === 'number' && fits(schema, String(byName))) return String(byName)
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0], name)
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, exampleOf(part, name)]))
    case 'array':
      return items === undefined ? [] : [exampleOf(items, name)]
    case 'integer':
    case 'number':
      return minimum ?? 0
    case 'boolean':
      return true
    case 'string':
      return format === 'date-time'
        ? exampleTime
        : format === 'uri'
          ? 'https://example.com'
          : 'text'.slice(0, maxLength)
    default:
      return null
  }
}

/** Fields of one name are not of one kind everywhere: a number of pages is a total, and so is an amount. */
function fits(schema: TSchema, value: unknown): boolean {
  const { type, format, pattern, minimum, maximum, maxLength, anyOf } = schema as Schema
  if (anyOf !== undefined) return anyOf.some((one) => fits(one, value))
  if (typeof value === 'string')
    return (
      type === 'string' &&
      (format === 'date-time' ? !Number.isNaN(Date.parse(value)) : true) &&
      new RegExp(pattern ?? '', 'u').test(value) &&
      value.length <= (maxLength ?? Number.POSITIVE_INFINITY)
    )
  if (typeof value !== 'number') return type === typeof value
  return (
    (type === 'number' || (type === 'integer' && Number.isInteger(value))) &&
    value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? Number.POSITIVE_INFINITY)
  )
}
