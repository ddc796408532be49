// The strict validators of the schemas: one Ajv for what comes in, which stops at the first fault, and one for what
// API callers want sent, which lists all. Each schema is compiled once, when it is first needed.

import { Ajv, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { parseUrl } from '../runtime/parse-url.js'
import { readDecimal } from './decimal.js'
import { isTimestamp } from './timestamp.js'

function newAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({
    allErrors,
    strict: false,
    validateSchema: false,
    // 21.4 is no exact multiple of 0.1 in binary.
    multipleOfPrecision: 6,
  })
  ajv.addFormat('date-time', { type: 'string', validate: isTimestamp })
  ajv.addFormat('uri', { type: 'string', validate: (text: string) => parseUrl(text) !== undefined })
  ajv.addKeyword({
    keyword: 'decimalUnlessSigned',
    type: 'object',
    errors: false,
    validate: (_: boolean, sample: { value?: unknown; format?: unknown }) =>
      typeof sample.value !== 'string' || sample.format === 'SignedData' || readDecimal(sample.value) === sample.value,
  })
  return ajv
}

const first = newAjv(false)
const all = newAjv(true)
const compiledFirst = new Map<TSchema, ValidateFunction>()
const compiledAll = new Map<TSchema, ValidateFunction>()

/** Says whether a payload fits; its `errors` hold the first fault only. */
export function fastValidator(schema: TSchema): ValidateFunction {
  return compiled(schema, first, compiledFirst)
}

/** Says whether a payload fits; its `errors` hold every fault. */
export function thoroughValidator(schema: TSchema): ValidateFunction {
  return compiled(schema, all, compiledAll)
}

function compiled(schema: TSchema, ajv: Ajv, cache: Map<TSchema, ValidateFunction>): ValidateFunction {
  let validate = cache.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    cache.set(schema, validate)
  }
  return validate
}
