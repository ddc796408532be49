// A form made of a JSON schema, as the OpenAPI document has it: for commands and settings whose fields the page does not know. What is no single field is
// written as JSON. It checks only that figures and JSON can be read; the service says what else is wrong, by the path of the field.

import './schema-form.css'
import { useState } from 'preact/hooks'
import { Field } from './field.js'

export interface FormSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, FormSchema>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly format?: string
}

export interface SchemaFormProps {
  readonly schema: FormSchema
  readonly value: Readonly<Record<string, unknown>>
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void
  /** What the service says of a field, by its path. */
  readonly errors?: Readonly<Record<string, string>>
  /** Fields that are given already. */
  readonly without?: readonly string[]
}

/** `charge_point_id` and `chargePointId` are `Charge point id`. */
export function nameOfField(name: string): string {
  const words = name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function SchemaForm({ schema, value, onChange, errors = {}, without = [] }: SchemaFormProps) {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !without.includes(name))
  const required = new Set(schema.required ?? [])
  function set(name: string, given: unknown): void {
    const { [name]: _, ...rest } = value
    onChange(given === undefined ? rest : { ...rest, [name]: given })
  }
  // What has to be there comes first.
  const ordered = [...fields.filter(([name]) => required.has(name)), ...fields.filter(([name]) => !required.has(name))]
  return (
    <div class="schema-form">
      {ordered.map(([name, field]) => (
        <SchemaField
          key={name}
          name={name}
          schema={field}
          required={required.has(name)}
          value={value[name]}
          onChange={(given) => set(name, given)}
          error={errors[name]}
        />
      ))}
    </div>
  )
}

interface SchemaFieldProps {
  readonly name: string
  readonly schema: FormSchema
  readonly required: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly error: string | undefined
}

function SchemaField({ name, schema, required, value, onChange, error }: SchemaFieldProps) {
  const kind = kindOf(schema)
  const [text, setText] = useState(() => textOf(value ?? schema.default, kind))
  const [unread, setUnread] = useState<string>()
  const common = {
    name,
    label: `${nameOfField(name)}${required ? '' : ' (optional)'}`,
    required,
    value: text,
    onChange: take,
    ...(hintOf(schema) !== undefined && { hint: hintOf(schema) as string }),
    ...((unread ?? error) !== undefined && { error: unread ?? (error as string) }),
  }

  function take(given: string): void {
    setText(given)
    setUnread(undefined)
    const read: Read = given.trim() === '' ? { ok: true, value: undefined } : readText(given, kind, schema)
    if (read.ok) onChange(read.value)
    else setUnread(read.message)
  }

  if (kind === 'choice') {
    const choices = (schema.enum ?? ['true', 'false']).map((one) => ({ value: String(one), name: String(one) }))
    return <Field {...common} options={[{ value: '', name: required ? 'Choose…' : '' }, ...choices]} />
  }
  if (kind === 'json') return <Field {...common} lines={4} mono />
  if (kind === 'number') return <Field {...common} type="number" inputmode="numeric" />
  return <Field {...common} type="text" />
}

type Kind = 'text' | 'number' | 'choice' | 'json'

function kindOf({ type, enum: values }: FormSchema): Kind {
  const types = (typeof type === 'string' ? [type] : (type ?? [])).filter((one) => one !== 'null')
  if (values !== undefined || types[0] === 'boolean') return 'choice'
  if (types[0] === 'integer' || types[0] === 'number') return 'number'
  return types[0] === 'string' ? 'text' : 'json'
}

function textOf(value: unknown, kind: Kind): string {
  if (value === undefined || value === null) return ''
  return kind === 'json' ? JSON.stringify(value, undefined, 2) : String(value)
}

type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

function readText(text: string, kind: Kind, { enum: values, type }: FormSchema): Read {
  if (kind === 'text') return { ok: true, value: text }
  if (kind === 'choice') {
    if (values === undefined) return { ok: true, value: text === 'true' }
    return { ok: true, value: values.find((one) => String(one) === text) ?? text }
  }
  if (kind === 'number') {
    const value = Number(text)
    if (!Number.isFinite(value)) return { ok: false, message: 'This is not a number.' }
    return type === 'integer' && !Number.isInteger(value)
      ? { ok: false, message: 'This has to be a whole number.' }
      : { ok: true, value }
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    return { ok: false, message: 'This is not JSON.' }
  }
}

function hintOf({ description, minimum, maximum }: FormSchema): string | undefined {
  const range =
    minimum !== undefined && maximum !== undefined
      ? `From ${minimum} to ${maximum}.`
      : minimum !== undefined
        ? `At least ${minimum}.`
        : maximum !== undefined
          ? `At most ${maximum}.`
          : ''
  const said = [description?.replaceAll('`', '') ?? '', range].filter((one) => one !== '').join(' ')
  return said === '' ? undefined : said
}
