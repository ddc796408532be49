// One full payload of each kind for every message that the service knows: of the standard's as they are written by hand, of any
// other as its schemas say. Whoever tests all messages takes them from here, and a new message is tested by being declared.

import type { TSchema } from 'typebox'
import { messages } from '../../src/ocpp16/index.js'
import { type Sample, standardSamples } from './samples.js'

/** What of a schema this file reads. */
interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly minimum?: number
  readonly minLength?: number
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
}

/** What fits the schema, with every field that it has. */
export function payloadOf(schema: TSchema): unknown {
  const { type, enum: values, format, minimum = 1, minLength = 1, items, properties = {} } = schema as Shape
  if (values !== undefined) return values[0]
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, payloadOf(inner)]))
    case 'array':
      return items === undefined ? [] : [payloadOf(items)]
    case 'integer':
    case 'number':
      return Math.max(minimum, 1)
    case 'boolean':
      return true
    case 'string':
      if (format === 'date-time') return '2026-01-02T03:04:05Z'
      return format === 'uri' ? 'https://files.example/' : 'x'.repeat(Math.max(minLength, 1))
    default:
      throw new Error(`no value is made of ${JSON.stringify(schema)}`)
  }
}

export const samples: Readonly<Record<string, Sample>> = Object.fromEntries(
  [...messages].map(([action, { request, response }]) => [
    action,
    standardSamples[action] ?? {
      request: payloadOf(request) as Sample['request'],
      response: payloadOf(response) as Sample['response'],
    },
  ]),
)

/** What charge points send, by action. */
export const sentByChargePoints: readonly string[] = [...messages.values()]
  .filter(({ from }) => from !== 'central-system')
  .map(({ action }) => action)
