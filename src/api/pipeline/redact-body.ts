// A request's body as the audit log keeps it: without what its schema marks as secret, without what has the name of one, and
// without fields that no schema knows.

import type { TSchema } from 'typebox'
import { maskText } from '../../ocpp16/masked-frame.js'
import { isListOfNames, isNamedBefore, valuesOfSecretsIn } from '../../ocpp16/secret-places.js'
import { redacted } from '../../ocpp16/secrets.js'

/** Names of secrets and of bank details, without regard to case and punctuation. */
const secretName =
  /password|passwd|passphrase|passcode|psk$|secret|token|credential|(private|authorization|api|access|shared|network|wep)key|bank|iban|^bic$|swift|account(number|holder|name)|routingnumber|sortcode|cardnumber|paymentmethod|^cv[cv]$|^pin$/

function hasSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

interface Shape {
  readonly 'x-secret'?: boolean
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: object
  readonly additionalProperties?: unknown
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

/** What any of several shapes knows and marks, as one. */
function merged(shapes: readonly Shape[]): Shape {
  const parts = shapes.map(plain)
  const properties: Record<string, Shape> = {}
  for (const part of parts)
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      const known = properties[name]
      properties[name] = known === undefined ? property : { anyOf: [known, property] }
    }
  const items = parts.flatMap((part) => (part.items === undefined ? [] : [part.items]))
  const objects = parts.filter((part) => part.properties !== undefined || part.patternProperties !== undefined)
  return {
    'x-secret': parts.some((part) => part['x-secret'] === true),
    additionalProperties: objects.some((part) => !isClosed(part)),
    ...(objects.length > 0 && { properties }),
    ...(items.length > 0 && { items: { anyOf: items } }),
  }
}

function plain(shape: Shape): Shape {
  const parts = [...(shape.anyOf ?? []), ...(shape.allOf ?? [])]
  return parts.length === 0 ? shape : merged([{ ...shape, anyOf: [], allOf: [] }, ...parts])
}

/** Whether it names every field that counts. */
function isClosed({ properties, patternProperties, additionalProperties }: Shape): boolean {
  return properties !== undefined && patternProperties === undefined && !additionalProperties
}

/**
 * A request's body as the audit log keeps it. Fields that the schema does not know are left out: they changed nothing.
 * What is secret by the schema's own word, or by its name, is named but not shown.
 */
export function redactBody(body: unknown, schema: TSchema): unknown {
  return redactShaped(body, schema as Shape)
}

function redactShaped(value: unknown, given: Shape): unknown {
  const shape = plain(given)
  if (shape['x-secret'] === true) return redacted
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value))
    return value.map((entry, at) => (isNamedBefore(value, at) ? redacted : redactShaped(entry, shape.items ?? {})))
  if (typeof value !== 'object' || value === null) return value
  const { properties = {} } = shape
  const closed = isClosed(shape)
  const isValueOfSecret = valuesOfSecretsIn(value as Readonly<Record<string, unknown>>)
  // ChangeConfiguration: a key, and its value beside it.
  const { key } = value as { readonly key?: unknown }
  const setsSecret = typeof key === 'string' && hasSecretName(key)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !closed || Object.hasOwn(properties, name))
      .map(([name, entry]) => {
        const isSecret = hasSecretName(name) || isValueOfSecret(name) || (setsSecret && name === 'value')
        if (isSecret) return [name, redacted]
        const part = properties[name] ?? {}
        return [name, isListOfNames(name, entry) ? redactNames(entry, part) : redactShaped(entry, part)]
      }),
  )
}

const redactNames = (names: readonly unknown[], { items = {} }: Shape): unknown =>
  names.map((name) => redactShaped(name, items))
