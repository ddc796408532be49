// The slow way of the tolerant reader: walks a payload that its schema refuses, and builds the one that was meant.
// Compiled once per schema into a tree of functions. Builds anew and never changes what it was given; never throws.

import type { TSchema } from 'typebox'
import { readDecimal } from './decimal.js'
import { limits } from './limits.js'
import {
  type JsonSchema,
  repairBoolean,
  repairEnumeration,
  repairNumber,
  repairText,
  repairTimestamp,
} from './repair-values.js'
import { type Repair, type Repairs, receivedTime } from './schemas/define-message.js'
import {
  note,
  type Outcome,
  type RepairContext,
  type RepairFunction,
  type Unreadable,
  wrongType,
  wrongValue,
} from './violation.js'

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
      return { code: 'OccurenceConstraintViolation', description: `${at} is missing`, path: at }
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
  if (decimal === undefined) return wrongValue('is no decimal number', `${path}/value`)
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
      if (index >= limits.repairedItems) {
        note(context, 'unreadable-item', `${path}/${index}`, undefined)
        break
      }
      const at = `${path}/${index}`
      const outcome = read(item, at, context)
      if (outcome.ok) built.push(outcome.value)
      else if (repair.dropItems === true) note(context, 'unreadable-item', at, item)
      else return outcome
    }
    if (built.length < minItems && repair.mayBeEmpty !== true) {
      return {
        ok: false,
        why: { code: 'OccurenceConstraintViolation', description: `${path} has fewer than ${minItems} elements`, path },
      }
    }
    if (items.length < minItems) note(context, 'empty-array', path, undefined)
    return { ok: true, value: built }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function escapePointer(name: string): string {
  return name.slice(0, limits.violationReceivedLength).replaceAll('~', '~0').replaceAll('/', '~1')
}
