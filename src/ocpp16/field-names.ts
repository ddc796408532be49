// The names of fields that OCPP 1.6 has: whatever else a charge point calls something, it has chosen itself.

import { messages } from './messages.js'
import type { JsonSchema } from './repair-values.js'

const none: ReadonlySet<string> = new Set()

function collect({ properties = {}, items }: JsonSchema, into: Set<string>): Set<string> {
  if (items !== undefined) collect(items, into)
  for (const [name, schema] of Object.entries(properties)) {
    into.add(name)
    collect(schema, into)
  }
  return into
}

const ofRequests: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...messages].map(([action, { request }]) => [action, collect(request as JsonSchema, new Set())]),
)

/** Of all answers: an answer does not say what it answers. */
export const answerFieldNames: ReadonlySet<string> = new Set(
  [...messages.values()].flatMap(({ response }) => [...collect(response as JsonSchema, new Set())]),
)

/** Of a request, at any depth; none of an action that OCPP 1.6 does not have. */
export function fieldNamesOf(action: string): ReadonlySet<string> {
  return ofRequests.get(action) ?? none
}
