// How single values are mended: enumerations, text, times, numbers and flags. One function per kind, made from its schema.

import type { Repair } from './schemas/define-message.js'
import { isTimestamp, readTimestamp } from './timestamp.js'
import { note, type Outcome, type RepairContext, type RepairFunction, wrongType, wrongValue } from './violation.js'

/** The parts of JSON Schema that the messages use. */
export interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly enum?: readonly string[]
  readonly maxLength?: number
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly not?: { readonly const: unknown }
  readonly decimalUnlessSigned?: boolean
}

export function repairEnumeration(values: readonly string[], repair: Repair): RepairFunction {
  const exact = new Set(values)
  const bySpelling = new Map(values.map((value) => [value.toLowerCase(), value]))
  for (const [alias, value] of Object.entries(repair.aliases ?? {})) bySpelling.set(alias, value)
  return (value, path, context) => {
    if (typeof value !== 'string') return wrongType('text', path)
    if (exact.has(value)) return { ok: true, value }
    const meant = bySpelling.get(value.trim().toLowerCase())
    if (meant !== undefined) {
      note(context, 'enumeration-spelling', path, value)
      return { ok: true, value: meant }
    }
    if (repair.unknown === undefined) return wrongValue(`is none of ${values.join(', ')}`, path)
    note(context, 'enumeration-unknown', path, value)
    return { ok: true, value: repair.unknown }
  }
}

export function repairText(schema: JsonSchema, repair: Repair): RepairFunction {
  const maxLength = schema.maxLength ?? Number.POSITIVE_INFINITY
  const keptLength = repair.names === true ? maxLength + 1 : maxLength
  return (value, path, context) => {
    let text: string | undefined
    if (typeof value === 'string') text = value
    else if (typeof value === 'number' || typeof value === 'boolean') text = String(value)
    else if (repair.jsonText === true) text = jsonText(value)
    if (text === undefined) return wrongType('text', path)
    if (text !== value) note(context, 'wrong-type', path, value)
    // Only text with more code units than allowed can have more characters.
    if (text.length > maxLength) {
      const characters = [...text]
      if (characters.length > maxLength) note(context, 'text-too-long', path, value)
      text = characters.slice(0, keptLength).join('')
    }
    return { ok: true, value: text }
  }
}

export function repairTimestamp(value: unknown, path: string, context: RepairContext): Outcome {
  if (typeof value !== 'string') return wrongType('a date and time', path)
  // Well-formed ones stay as they are, with the offset and the digits they came with.
  if (isTimestamp(value)) return { ok: true, value }
  const ms = readTimestamp(value)
  if (ms === undefined) return wrongValue('is no date and time', path)
  note(context, 'timestamp-format', path, value)
  return { ok: true, value: new Date(ms).toISOString() }
}

const numeric = /^[+-]?(\d{1,30}([.,]\d{0,30})?|[.,]\d{1,30})(e[+-]?\d{1,3})?$/i

export function repairNumber(schema: JsonSchema, repair: Repair): RepairFunction {
  const isInteger = schema.type === 'integer'
  const minimum = repair.lowest ?? schema.minimum ?? Number.NEGATIVE_INFINITY
  const maximum = schema.maximum ?? Number.POSITIVE_INFINITY
  const strictMinimum = schema.minimum ?? Number.NEGATIVE_INFINITY
  return (value, path, context) => {
    let number: number
    if (typeof value === 'number') number = value
    else if (typeof value === 'string' && numeric.test(value.trim())) number = Number(value.trim().replace(',', '.'))
    else return wrongType(isInteger ? 'an integer' : 'a number', path)
    if (isInteger && repair.rounds === true) number = Math.round(number)
    if (isInteger && !Number.isInteger(number)) return wrongType('an integer', path)
    if (schema.multipleOf === 0.1) number = Math.round(number * 10) / 10
    // The negated form refuses NaN too. Integers beyond 2^53 are outside the schemas' bounds: rounded, they mean nothing.
    if (!(number >= minimum && number <= maximum) || (schema.not !== undefined && number === schema.not.const)) {
      return wrongValue('is out of range', path)
    }
    if (number !== value) note(context, 'wrong-type', path, value)
    else if (number < strictMinimum) note(context, 'out-of-range', path, value)
    return { ok: true, value: number }
  }
}

export function repairBoolean(value: unknown, path: string, context: RepairContext): Outcome {
  if (typeof value === 'boolean') return { ok: true, value }
  const text = String(typeof value === 'string' || typeof value === 'number' ? value : '')
    .trim()
    .toLowerCase()
  const read = text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined
  if (read === undefined) return wrongType('true or false', path)
  note(context, 'wrong-type', path, value)
  return { ok: true, value: read }
}

/** Undefined for what is nested too deeply to be written again. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
