// The slow way of the tolerant reader: walks a payload that its schema refuses, and builds the one that was meant.
// Compiled once per schema into a tree of functions. Builds anew and never changes what it was given; never throws.

import type { TSchema } from 'typebox'
import { limits } from '../../../runtime/limits.js'
import { readDecimal } from './decimal.js'
import { type Repair, type Repairs, receivedTime } from './define-message.js'
import type { OcppErrorCode } from './error-codes.js'
import { isTimestamp, readTimestamp } from './timestamp.js'

/** The kinds of faults that are mended, as they are counted in conformance reports. */
export type ViolationRule =
  | 'text-too-long'
  | 'wrong-type'
  | 'enumeration-spelling'
  | 'enumeration-unknown'
  | 'unknown-field'
  | 'null-field'
  | 'missing-field'
  | 'unreadable-field'
  | 'not-an-array'
  | 'empty-array'
  | 'unreadable-item'
  | 'timestamp-format'
  | 'out-of-range'
  | 'decimal-format'

/** One thing that a charge point did against the standard, and that was mended. */
export interface Violation {
  readonly rule: ViolationRule
  /** A JSON pointer into the payload as it was received. */
  readonly path: string
  /** What was sent, shortened, where it was a single value. */
  readonly received?: string | number | boolean | null
}

/** Why a payload, or a part of it, cannot be read. */
export interface Unreadable {
  readonly code: OcppErrorCode
  readonly description: string
}

export interface RepairContext {
  readonly receivedAtMs: number
  readonly violations: Violation[]
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: Unreadable }
export type RepairFunction = (value: unknown, path: string, context: RepairContext) => Outcome

/** The parts of JSON Schema that the messages use. */
interface JsonSchema {
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

const noRepair: Repair = {}

/** Makes the repairing reader of one payload. */
export function compileRepair(schema: TSchema, repairs: Repairs): RepairFunction {
  return compile(schema as JsonSchema, repairs, '')
}

function compile(schema: JsonSchema, repairs: Repairs, place: string): RepairFunction {
  const repair = repairs[place] ?? noRepair
  if (schema.enum !== undefined) return repairEnumeration(schema.enum, repair)
  switch (schema.type) {
    case 'object':
      return repairObject(schema, repairs, place)
    case 'array':
      return repairArray(schema, repairs, place)
    case 'integer':
    case 'number':
      return repairNumber(schema, repair)
    case 'boolean':
      return repairBoolean
    default:
      return schema.format === 'date-time' ? repairTimestamp : repairText(schema, repair)
  }
}

interface Field {
  readonly name: string
  readonly required: boolean
  readonly repair: Repair
  readonly read: RepairFunction
}

function repairObject(schema: JsonSchema, repairs: Repairs, place: string): RepairFunction {
  const required = new Set(schema.required)
  const fields: readonly Field[] = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const at = place === '' ? name : `${place}.${name}`
    return {
      name,
      required: required.has(name),
      repair: repairs[at] ?? noRepair,
      read: compile(property, repairs, at),
    }
  })
  const names = new Set(fields.map((field) => field.name))
  return (value, path, context) => {
    if (!isObject(value)) return wrongType('an object', path)
    for (const name of Object.keys(value)) {
      if (!names.has(name)) note(context, 'unknown-field', `${path}/${escapePointer(name)}`, value[name])
    }
    const built: Record<string, unknown> = {}
    for (const field of fields) {
      const why = readField(field, value, built, path, context)
      if (why !== undefined) return { ok: false, why }
    }
    return schema.decimalUnlessSigned === true ? repairSample(built, path, context) : { ok: true, value: built }
  }
}

function readField(
  field: Field,
  from: Readonly<Record<string, unknown>>,
  into: Record<string, unknown>,
  path: string,
  context: RepairContext,
): Unreadable | undefined {
  const { name, required, repair, read } = field
  const at = `${path}/${name}`
  const received = Object.hasOwn(from, name) ? from[name] : undefined
  if (received === undefined || received === null) {
    if (received === undefined && !required) return undefined
    const substitute = required ? fallbackOf(repair, context) : undefined
    if (required && substitute === undefined) {
      return { code: 'OccurenceConstraintViolation', description: `${at} is missing` }
    }
    note(context, received === null ? 'null-field' : 'missing-field', at, received)
    if (substitute !== undefined) into[name] = substitute
    return undefined
  }
  const outcome = read(received, at, context)
  if (outcome.ok) {
    into[name] = outcome.value
    return undefined
  }
  if (repair.essential === true) {
    note(context, 'unreadable-field', at, received)
    return outcome.why
  }
  const substitute = required ? fallbackOf(repair, context) : undefined
  if (required && substitute === undefined) return outcome.why
  note(context, 'unreadable-field', at, received)
  if (substitute !== undefined) into[name] = substitute
  return undefined
}

function fallbackOf(repair: Repair, context: RepairContext): unknown {
  if (repair.mayBeEmpty === true) return []
  return repair.fallback === receivedTime ? new Date(context.receivedAtMs).toISOString() : repair.fallback
}

/** A sample whose value is no number is worth nothing, unless it is signed data. */
function repairSample(sample: Record<string, unknown>, path: string, context: RepairContext): Outcome {
  const { value, format } = sample
  if (typeof value !== 'string' || format === 'SignedData') return { ok: true, value: sample }
  const decimal = readDecimal(value)
  if (decimal === undefined) return wrongValue(`${path}/value is no decimal number`)
  if (decimal !== value) {
    note(context, 'decimal-format', `${path}/value`, value)
    sample.value = decimal
  }
  return { ok: true, value: sample }
}

function repairArray(schema: JsonSchema, repairs: Repairs, place: string): RepairFunction {
  const repair = repairs[place] ?? noRepair
  const read = compile(schema.items ?? {}, repairs, `${place}.*`)
  const minItems = schema.minItems ?? 0
  return (value, path, context) => {
    let items: readonly unknown[]
    if (Array.isArray(value)) items = value
    else if (isObject(value) || schema.items?.type === 'string') {
      note(context, 'not-an-array', path, value)
      items = [value]
    } else return wrongType('an array', path)
    const built: unknown[] = []
    for (const [index, item] of items.entries()) {
      const at = `${path}/${index}`
      const outcome = read(item, at, context)
      if (outcome.ok) built.push(outcome.value)
      else if (repair.dropItems === true) note(context, 'unreadable-item', at, item)
      else return outcome
    }
    if (built.length < minItems && repair.mayBeEmpty !== true) {
      return {
        ok: false,
        why: { code: 'OccurenceConstraintViolation', description: `${path} has fewer than ${minItems} elements` },
      }
    }
    if (items.length < minItems) note(context, 'empty-array', path, undefined)
    return { ok: true, value: built }
  }
}

function repairEnumeration(values: readonly string[], repair: Repair): RepairFunction {
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
    if (repair.unknown === undefined) return wrongValue(`${path} is none of ${values.join(', ')}`)
    note(context, 'enumeration-unknown', path, value)
    return { ok: true, value: repair.unknown }
  }
}

function repairText(schema: JsonSchema, repair: Repair): RepairFunction {
  const maxLength = schema.maxLength ?? Number.POSITIVE_INFINITY
  return (value, path, context) => {
    let text: string | undefined
    if (typeof value === 'string') text = value
    else if (typeof value === 'number' || typeof value === 'boolean') text = String(value)
    else if (repair.jsonText === true) text = jsonText(value)
    if (text === undefined) return wrongType('text', path)
    if (text !== value) note(context, 'wrong-type', path, value)
    // Only text with more code units than allowed can have more characters.
    if (text.length > maxLength) {
      const cut = [...text].slice(0, maxLength).join('')
      if (cut.length < text.length) note(context, 'text-too-long', path, value)
      text = cut
    }
    return { ok: true, value: text }
  }
}

function repairTimestamp(value: unknown, path: string, context: RepairContext): Outcome {
  if (typeof value !== 'string') return wrongType('a date and time', path)
  // Well-formed ones stay as they are, with the offset and the digits they came with.
  if (isTimestamp(value)) return { ok: true, value }
  const ms = readTimestamp(value)
  if (ms === undefined) return wrongValue(`${path} is no date and time`)
  note(context, 'timestamp-format', path, value)
  return { ok: true, value: new Date(ms).toISOString() }
}

const numeric = /^[+-]?(\d{1,30}([.,]\d{0,30})?|[.,]\d{1,30})(e[+-]?\d{1,3})?$/i

function repairNumber(schema: JsonSchema, repair: Repair): RepairFunction {
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
      return wrongValue(`${path} is out of range`)
    }
    if (number !== value) note(context, 'wrong-type', path, value)
    else if (number < strictMinimum) note(context, 'out-of-range', path, value)
    return { ok: true, value: number }
  }
}

function repairBoolean(value: unknown, path: string, context: RepairContext): Outcome {
  if (typeof value === 'boolean') return { ok: true, value }
  const text = String(typeof value === 'string' || typeof value === 'number' ? value : '')
    .trim()
    .toLowerCase()
  const read = text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined
  if (read === undefined) return wrongType('true or false', path)
  note(context, 'wrong-type', path, value)
  return { ok: true, value: read }
}

function note(context: RepairContext, rule: ViolationRule, path: string, received: unknown): void {
  if (context.violations.length >= limits.violationsPerPayload) return
  if (typeof received === 'string') {
    context.violations.push({ rule, path, received: received.slice(0, limits.violationReceivedLength) })
  } else if (typeof received === 'number' || typeof received === 'boolean' || received === null) {
    context.violations.push({ rule, path, received })
  } else context.violations.push({ rule, path })
}

function wrongType(wanted: string, path: string): Outcome {
  return { ok: false, why: { code: 'TypeConstraintViolation', description: `${path} is not ${wanted}` } }
}

function wrongValue(description: string): Outcome {
  return { ok: false, why: { code: 'PropertyConstraintViolation', description } }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Undefined for what is nested too deeply to be written again. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function escapePointer(name: string): string {
  return name.slice(0, limits.violationReceivedLength).replaceAll('~', '~0').replaceAll('/', '~1')
}
