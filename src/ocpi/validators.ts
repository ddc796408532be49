// Both ways of looking at an OCPI object: what comes in is read leniently, and what goes out has to be what the standard says and no more.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { faultsOf } from '../runtime/fault-words.js'
import { parseUrl } from '../runtime/parse-url.js'
import { isSentDateTime, readDateTime } from './date-time.js'

export interface ObjectFault {
  /** A JSON pointer. */
  readonly path: string
  readonly message: string
}

export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly ObjectFault[] }

const mostFaults = 20

function newAjv(isDateTime: (text: string) => boolean): Ajv {
  const ajv = new Ajv({ strict: false, verbose: true, validateSchema: false, allErrors: true })
  ajv.addFormat('date-time', { type: 'string', validate: isDateTime })
  ajv.addFormat('uri', { type: 'string', validate: (text: string) => parseUrl(text) !== undefined })
  return ajv
}

const received = newAjv((text) => readDateTime(text) !== undefined)
// Many send more decimals than the standard has: what they mean is clear.
received.removeKeyword('multipleOf')
const sent = newAjv(isSentDateTime)
// 21.4 is no exact multiple of 0.1 in binary, and the quotient of a large number is off by more than that of a small one: decimals are counted.
sent.removeKeyword('multipleOf')
sent.addKeyword({ keyword: 'multipleOf', type: 'number', errors: true, validate: hasDecimalsOf })

/** `step` is a power of ten, such as 0.0001. */
function hasDecimalsOf(step: number, value: number): boolean {
  const isMultiple = Number(value.toFixed(Math.max(0, -Math.round(Math.log10(step))))) === value
  Object.assign(hasDecimalsOf, { errors: isMultiple ? [] : [{ keyword: 'multipleOf', params: { multipleOf: step } }] })
  return isMultiple
}

const receivedValidators = new Map<TSchema, ValidateFunction>()
const sentValidators = new Map<TSchema, ValidateFunction>()

/** The object as it is meant: without fields that the schema does not know, and without those that are null, which stand for absent ones. */
export function readObject<Schema extends TSchema>(schema: Schema, value: unknown): Read<Static<Schema>> {
  const read = knownFields(schema as Shape, withoutNulls(value))
  const validate = compiled(receivedValidators, schema, () => received.compile(schema))
  if (validate(read)) return { ok: true, value: read as Static<Schema> }
  return { ok: false, faults: describe(validate.errors) }
}

/** What keeps an object from being sent: it has all that the standard requires, and nothing that the schema does not name. */
export function faultsOfSent(schema: TSchema, value: unknown): readonly ObjectFault[] {
  const validate = compiled(sentValidators, schema, () => sent.compile(closed(schema) as TSchema))
  return validate(value) ? [] : describe(validate.errors)
}

function compiled(cache: Map<TSchema, ValidateFunction>, schema: TSchema, compile: () => ValidateFunction) {
  const validate = cache.get(schema) ?? compile()
  cache.set(schema, validate)
  return validate
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/** OCPI knows no null: senders that write one mean that there is nothing. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((part) => part !== null).map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const filled = Object.entries(value).filter(([, part]) => part !== null)
  return Object.fromEntries(filled.map(([name, part]) => [name, withoutNulls(part)]))
}

function knownFields({ properties, items }: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return items === undefined ? value : value.map((part) => knownFields(items, part))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(known.map(([name, part]) => [name, knownFields(properties[name] as Shape, part)]))
}

/** The schema with every object closed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  return 'properties' in schema ? { ...copy, additionalProperties: false } : copy
}

function describe(errors: readonly ErrorObject[] | null | undefined): readonly ObjectFault[] {
  return faultsOf((errors ?? []).slice(0, mostFaults)).map(({ error, message }) => {
    const { keyword, instancePath, params } = error
    if (keyword === 'required') return { path: `${instancePath}/${params.missingProperty}`, message }
    if (keyword === 'additionalProperties')
      return { path: `${instancePath}/${params.additionalProperty}`, message: 'is not a field of OCPI 2.2.1' }
    return { path: instancePath, message }
  })
}
