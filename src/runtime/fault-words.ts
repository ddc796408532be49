// What is wrong with a value, in words, from what a validator found: the one place for requests, OCPP payloads and settings.
// A pattern, and a list of values that is too long to be read, is said in words that stand beside it in the schema.

import type { ErrorObject } from 'ajv'

/** The keyword that says in words what a pattern or a long list of values asks for: `must be` and these words. */
export const meaningKeyword = 'x-meaning' as const

/** A pattern and what it asks for, to be spread into a schema: `2 capital letters`. */
export function patternOf(
  pattern: string,
  meaning: string,
): { readonly pattern: string; readonly [meaningKeyword]: string } {
  return { pattern, [meaningKeyword]: meaning }
}

/** Control characters but those that break and indent lines, and those that turn the text around them about: both show other text than it is. */
const misleading = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069'
/** Said of those that turn the text: nobody sees them. */
const orTurning = 'or characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069)'
const breaking = '\\t\\n\\r\\u2028\\u2029'
const blank = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff'

/** A label or an address: what is shown in lists, printed and sent in mails. */
export const line = patternOf(`^[^${misleading}${breaking}]*$`, `one line without control characters ${orTurning}`)

/** A name or an id tag: such a line that is more than white space. Matched in one pass, however long the text is. */
export const filledLine = patternOf(
  `^[${blank}]*[^\\s${misleading}][^${misleading}${breaking}]*$`,
  `one line that is not blank and has no control characters ${orTurning}`,
)

/** A note. */
export const lines = patternOf(`^[^${misleading}]*$`, `text without control characters ${orTurning}`)

/** A reason: text that is more than white space. */
export const filledLines = patternOf(
  `^[${blank}${breaking}]*[^\\s${misleading}][^${misleading}]*$`,
  `text that is not blank and has no control characters ${orTurning}`,
)

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

const formatWords: Readonly<Record<string, string>> = {
  'date-time': 'a date and time, such as 2026-01-02T03:04:05Z',
  uri: 'a URI',
  email: 'an email address',
}

/** What is wrong with one place of a value. */
export interface Fault {
  readonly error: ErrorObject
  readonly message: string
}

/**
 * The faults of a value. One that may also be null is a union of two forms to the validator, which reports three faults for it: only
 * the one of the other form helps its reader.
 */
export function faultsOf(errors: readonly ErrorObject[]): readonly Fault[] {
  const unions = errors.filter((error) => isNullable(error))
  const unionOf = (error: ErrorObject) => unions.find((union) => isAlternative(error, union))
  return errors.flatMap((error) => {
    if (unions.includes(error)) return []
    const union = unionOf(error)
    if (union === undefined) return [{ error, message: faultWords(error) }]
    if (isNullAlternative(error)) return []
    return [{ error, message: `${faultWords(error)}${takesNull(error) ? ' or null' : ''}` }]
  })
}

function isNullable({ keyword, schema }: ErrorObject): boolean {
  return keyword === 'anyOf' && Array.isArray(schema) && schema.length === 2 && schema.some(isNull)
}

const isNull = (schema: { readonly type?: unknown }): boolean => schema.type === 'null'

/** Whether it is a fault of the whole value that the union is about. */
function isAlternative(error: ErrorObject, union: ErrorObject): boolean {
  return error.instancePath === union.instancePath && error.schemaPath.startsWith(`${union.schemaPath}/`)
}

function isNullAlternative({ keyword, params }: ErrorObject): boolean {
  return keyword === 'type' && params.type === 'null'
}

/** A value that has the right type, but is too large, is not meant to be null. */
function takesNull({ keyword }: ErrorObject): boolean {
  return keyword === 'type' || keyword === 'enum'
}

/** The validator has to be made with `verbose`, so that the schema is at hand. */
export function faultWords({ keyword, params, parentSchema, message }: ErrorObject): string {
  const limit = Number(params.limit)
  const meaning = (parentSchema as Record<string, unknown> | undefined)?.[meaningKeyword]
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => typeWords[type as string] ?? type)
        .join(' or ')}`
    case 'enum':
      return `must be ${meaning ?? `one of ${(params.allowedValues as readonly unknown[]).join(', ')}`}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'pattern':
      return `must be ${meaning ?? `text like ${params.pattern}`}`
    case 'format':
      return `must be ${formatWords[params.format as string] ?? `a valid ${params.format}`}`
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}`
    case 'minProperties':
      return `must have at least ${counted(limit, 'field')}`
    case 'maxProperties':
      return `must have at most ${counted(limit, 'field')}`
    case 'propertyNames':
      return `has a field ${JSON.stringify(params.propertyName)} whose name is not allowed`
    case 'uniqueItems':
      return 'must not name anything twice'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'exclusiveMinimum':
      return `must be more than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`
    case 'anyOf':
    case 'oneOf':
      return 'has none of the forms that are allowed here'
    default:
      return message ?? 'is invalid'
  }
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
