// Schemas with a name become components of the OpenAPI document, so that generated clients have a type for each.

type Json = Record<string, unknown>

/** Titles that are names of types; a title in plain words stays where it is. */
const typeName = /^[A-Z][A-Za-z0-9]+$/

export interface Components {
  /** The same value with every named schema in it replaced by a reference. */
  reference(value: unknown): unknown
  /** The same for what is sent to the service: a field with a default need not be sent. */
  referenceInput(value: unknown): unknown
  readonly schemas: Readonly<Record<string, unknown>>
}

export function createComponents(): Components {
  const schemas: Record<string, unknown> = {}
  const texts = new Map<string, string>()

  function register(name: string, schema: Json): string | undefined {
    const text = JSON.stringify(schema)
    const known = texts.get(name)
    if (known !== undefined) return known === text ? name : undefined
    texts.set(name, text)
    schemas[name] = schema
    return name
  }

  function reference(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(reference)
    if (typeof value !== 'object' || value === null) return value
    const replaced = mapValues(value as Json, reference)
    const { title, ...schema } = replaced
    if (typeof title !== 'string' || !typeName.test(title) || schema.type !== 'object') return replaced
    const name = register(title, schema) ?? register(`${title}Input`, schema)
    if (name === undefined) throw new Error(`two schemas are called ${title}`)
    return { $ref: `#/components/schemas/${name}` }
  }

  return { reference, referenceInput: (value) => reference(withoutDefaultsRequired(value)), schemas }
}

function mapValues(value: Json, change: (part: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part)]))
}

function withoutDefaultsRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaultsRequired)
  if (typeof value !== 'object' || value === null) return value
  const changed = mapValues(value as Json, withoutDefaultsRequired)
  const { required, properties } = changed as { required?: unknown; properties?: Json }
  if (!Array.isArray(required) || properties === undefined) return changed
  const left = required.filter((name) => (properties[name] as Json | undefined)?.default === undefined)
  const { required: _, ...rest } = changed
  return left.length === 0 ? rest : { ...rest, required: left }
}
