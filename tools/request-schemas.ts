// What our own OpenAPI document says of the fields of a request, for pages that show it beside each field, and the fields of the messages of OCPP: taken out
// of the document, and out of our schemas, when the console is built, so that no browser fetches all of it.

import { messages } from '../src/ocpp16/index.js'

/** By the name under which a page imports it from `virtual:request-schemas`: path and method. One more is one line here, and one in src/console/app/modules.d.ts. */
const requests = {
  settings: ['/api/v1/organizations/{org_id}/settings', 'put'],
  organization: ['/api/v1/organizations/{org_id}', 'put'],
} as const

type Json = { readonly [name: string]: unknown }

const shown = ['type', 'enum', 'description', 'minimum', 'maximum'] as const

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), value)
}

/** Without references, and with what is shown of it alone. */
function shownOf(schema: unknown, document: Json): Json {
  if (!isObject(schema)) return {}
  const { $ref, anyOf, properties } = schema
  if (typeof $ref === 'string')
    return {
      ...shownOf(at(document, ...$ref.split('/').slice(1)), document),
      ...shownOf({ ...schema, $ref: undefined }, document),
    }
  return {
    ...Object.fromEntries(shown.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one) => shownOf(one, document)) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, shownOf(one, document)])),
    }),
  }
}

export function requestSchemas(document: Json): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(requests).map(([name, [path, method]]) => {
      const schema = at(document, 'paths', path, method, 'requestBody', 'content', 'application/json', 'schema')
      if (!isObject(schema)) throw new Error(`the OpenAPI document says nothing of the body of ${method} ${path}`)
      return [name, shownOf(schema, document)]
    }),
  )
}

const ofMessages = ['type', 'enum', 'format', 'maxLength', 'required'] as const

/** Bounds that only say what a JavaScript number can hold are none of the standard. */
const isBound = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER

function fieldsOf(schema: unknown): Json {
  if (!isObject(schema)) return {}
  const { items, properties } = schema
  return {
    ...Object.fromEntries(ofMessages.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
    ...Object.fromEntries(
      ['minimum', 'maximum'].flatMap((name) => (isBound(schema[name]) ? [[name, schema[name]]] : [])),
    ),
    ...(isObject(items) && { items: fieldsOf(items) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fieldsOf(one)])),
    }),
  }
}

/** The payloads of all messages that can be sent to a charge point, by action. */
export function messageSchemas(): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    [...messages.values()]
      .filter(({ from }) => from !== 'charge-point')
      .map(({ action, request }) => [action, fieldsOf(request)]),
  )
}
