// Compiled validators of the API's schemas: for bodies as they are, for query and path with text converted.
// Says what is wrong by JSON pointer; never decides which error code that is.

import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import type { ErrorDetail } from '../../runtime/errors.js'
import { type Fault, faultsOf } from '../../runtime/fault-words.js'
import { parseUrl } from '../../runtime/parse-url.js'
import { limits } from './limits.js'
import { parseTimestamp } from './timestamp.js'

export type Check = (value: unknown) => readonly ErrorDetail[] | undefined

/** Without the characters by which a mail server could read more than one address into it. */
const oneAddress = /^[^@\s\p{Cc}<>()[\],;:"\\]{1,64}@[^@\s\p{Cc}<>()[\],;:"\\]{1,255}$/u

function newAjv(options: Options): Ajv {
  // 21.4 is no exact multiple of 0.1 in binary.
  const ajv = new Ajv({
    strict: false,
    verbose: true,
    validateSchema: false,
    useDefaults: true,
    multipleOfPrecision: 6,
    ...options,
  })
  ajv.addFormat('date-time', { type: 'string', validate: (text: string) => parseTimestamp(text) !== undefined })
  ajv.addFormat('uri', { type: 'string', validate: (text: string) => parseUrl(text) !== undefined })
  ajv.addFormat('email', { type: 'string', validate: (text: string) => oneAddress.test(text) })
  return ajv
}

// A body is checked up to its first fault; only a small one that has faults is checked again for all of them.
const first = newAjv({})
const all = newAjv({ allErrors: true })
const pure = newAjv({ useDefaults: false })
const text = newAjv({ allErrors: true, coerceTypes: true })

/** Compiled when it is first asked for: a service has hundreds of schemas, and most of its runs need a few of them. */
function compiler(ajv: Ajv, schema: TSchema): () => ValidateFunction {
  let compiled: ValidateFunction | undefined
  return () => {
    compiled ??= ajv.compile(schema)
    return compiled
  }
}

/** For JSON bodies; fills in defaults. */
export function bodyCheck(schema: TSchema): Check {
  const fast = compiler(first, schema)
  const thorough = compiler(all, schema)
  return (value) => {
    const validate = fast()
    if (validate(value)) return undefined
    if (!isSmall(value)) return details(validate.errors)
    const validateAll = thorough()
    return validateAll(value) ? undefined : details(validateAll.errors)
  }
}

/** For query and path parameters: text becomes the number or boolean that the schema wants. */
export function textCheck(schema: TSchema): Check {
  const compiled = compiler(text, schema)
  return (value) => {
    const validate = compiled()
    if (!validate(value)) return details(validate.errors)
    // Ajv takes `1e400` for an integer, and makes Infinity of it.
    const infinite = Object.entries(value as object).filter(([, part]) => Math.abs(part as number) === Infinity)
    if (infinite.length === 0) return undefined
    return infinite.map(([name]) => ({ path: `/${name}`, message: 'must be a finite number' }))
  }
}

/** Whether a value is one of the schema's; leaves it as it is. */
export function matcherOf(schema: TSchema): (value: unknown) => boolean {
  const validate = compiler(pure, schema)
  return (value) => validate()(value)
}

function isSmall(value: unknown): boolean {
  return (JSON.stringify(value)?.length ?? 0) <= limits.thoroughlyCheckedCharacters
}

function details(errors: readonly ErrorObject[] | null | undefined): readonly ErrorDetail[] {
  // Some of them come together, and are one detail.
  return faultsOf((errors ?? []).slice(0, 10 * limits.errorDetails))
    .slice(0, limits.errorDetails)
    .map(toDetail)
}

function toDetail({ error, message }: Fault): ErrorDetail {
  const { keyword, instancePath, params } = error
  const path = keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath
  return { path, message }
}
