// What a JSON schema describes, as the texts of a form: each stands under its place in the value, `/csChargingProfiles/stackLevel`. It says what is missing and
// what cannot be read; whether it makes sense is for the service to say, by the same places.

import { instantText } from './zone.js'

export interface FormSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, FormSchema>>
  readonly required?: readonly string[]
  readonly items?: FormSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

export type Texts = Readonly<Record<string, string>>

export interface ReadTexts {
  /** Undefined where nothing is given. */
  readonly value: unknown
  /** What is wrong, by its place. */
  readonly faults: Texts
  /** Places of what has to be given and is not. */
  readonly missing: readonly string[]
}

export type TextKind = 'text' | 'lines' | 'number' | 'choice' | 'time' | 'words' | 'json' | 'group'

/** A text that may be longer has several lines. */
const lineLength = 512

export function kindOf({
  type,
  enum: values,
  format,
  items,
  maxLength = Number.POSITIVE_INFINITY,
}: FormSchema): TextKind {
  if (values !== undefined) return 'choice'
  if (format === 'date-time') return 'time'
  if (type === 'object') return 'group'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return items?.type === 'string' ? 'words' : 'json'
  return maxLength > lineLength && format === undefined ? 'lines' : 'text'
}

const nothing: ReadTexts = { value: undefined, faults: {}, missing: [] }

export function readTexts(schema: FormSchema, texts: Texts, at = ''): ReadTexts {
  if (kindOf(schema) === 'group') return readGroup(schema, texts, at)
  const text = texts[at]?.trim() ?? ''
  if (text === '') return nothing
  const read = readText(schema, text)
  return 'fault' in read ? { ...nothing, faults: { [at]: read.fault } } : { ...nothing, value: read.value }
}

function readGroup({ properties = {}, required = [] }: FormSchema, texts: Texts, at: string): ReadTexts {
  const value: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  const missing: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    const place = `${at}/${name}`
    const read = readTexts(schema, texts, place)
    Object.assign(faults, read.faults)
    const isGiven = read.value !== undefined || Object.keys(read.faults).length > 0
    if (isGiven || required.includes(name)) missing.push(...read.missing)
    if (read.value !== undefined) value[name] = read.value
    else if (!isGiven && required.includes(name) && read.missing.length === 0) missing.push(place)
  }
  return { value: Object.keys(value).length === 0 ? undefined : value, faults, missing }
}

type Read = { readonly value: unknown } | { readonly fault: string }

function readText(schema: FormSchema, text: string): Read {
  const { enum: values = [], maxLength } = schema
  switch (kindOf(schema)) {
    case 'number':
      return readNumber(schema, text)
    case 'choice':
      return { value: values.find((one) => String(one) === text) }
    case 'time': {
      const value = instantText(text)
      return value === undefined ? { fault: 'This is no time.' } : { value }
    }
    case 'words':
      return { value: text.split(/[\s,;]+/).filter((word) => word !== '') }
    case 'json':
      return readList(text)
    default:
      return maxLength !== undefined && text.length > maxLength
        ? { fault: `This has ${text.length} characters; it may have ${maxLength}.` }
        : { value: text }
  }
}

function readNumber({ type, minimum, maximum }: FormSchema, text: string): Read {
  const value = Number(text.replace(',', '.'))
  if (!Number.isFinite(value)) return { fault: 'This is not a number.' }
  if (type === 'integer' && !Number.isInteger(value)) return { fault: 'This has to be a whole number.' }
  if (minimum !== undefined && value < minimum) return { fault: `This has to be at least ${minimum}.` }
  if (maximum !== undefined && value > maximum) return { fault: `This may be at most ${maximum}.` }
  return { value }
}

function readList(text: string): Read {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? { value } : { fault: 'This has to be a list: [ … ].' }
  } catch (error) {
    return { fault: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** A value that the schema takes, with no more than has to be there. */
export function exampleOf(schema: FormSchema): unknown {
  const { type, enum: values, items, properties = {}, required = [], minimum = 0 } = schema
  if (values !== undefined) return values[0]
  if (type === 'integer') return minimum
  // A limit of nothing would be taken for one.
  if (type === 'number') return 16
  if (type === 'array') return items === undefined ? [] : [exampleOf(items)]
  if (type !== 'object') return 'TEXT'
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]))
}
