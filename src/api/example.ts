// An example value of a schema: the examples that its parts declare, or plain ones of their types.

import type { TSchema } from 'typebox'

interface Schema {
  readonly type?: string
  readonly examples?: readonly unknown[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly format?: string
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
}

const exampleTime = '2026-11-20T09:30:00.000Z'

/** Optional properties have their example as well: whoever reads it sees all that may come. */
export function exampleOf(schema: TSchema): unknown {
  const { type, examples, const: constant, enum: values, anyOf, format, minimum, properties, items } = schema as Schema
  if (examples?.[0] !== undefined) return examples[0]
  if (constant !== undefined) return constant
  if (values?.[0] !== undefined) return values[0]
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0])
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, exampleOf(part)]))
    case 'array':
      return items === undefined ? [] : [exampleOf(items)]
    case 'integer':
    case 'number':
      return minimum ?? 0
    case 'boolean':
      return true
    case 'string':
      return format === 'date-time' ? exampleTime : 'text'
    default:
      return null
  }
}
