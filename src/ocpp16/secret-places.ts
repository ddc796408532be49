// Where in a structure a secret stands: under its own name, beside a field that has its name as a value, or behind its name in a list. For all
// that masks structures, whoever has sent them.

import { isSecretKey } from './secrets.js'

/** Fields that say what is meant: `key` in OCPP, others with vendors. */
const namingField =
  /^(?:(?:config(?:uration)?|param(?:eter)?|property|setting|variable|option|field|attribute|message|item|entry)?(?:keys?|names?|id)|k|n|param(?:eter)?|property|setting|variable|option|field|attribute|item)$/
/** And those that say what it is set to: `value` in OCPP. */
const valueField =
  /^(?:(?:new|old|current|actual|default|set|raw|string|text)?(?:v|vals?|values?|contents?|data|text|string|payload)|new|old|default|to)$/
/** Lists of names, to which no values belong: of GetConfiguration, and of commands. */
const nameLists: ReadonlySet<string> = new Set(['key', 'keys', 'unknownKey'])

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

function namesSecret(value: unknown): boolean {
  return isSecretKey(value) || (Array.isArray(value) && value.some(isSecretKey))
}

/** Tells of each field of an object whether it holds what is secret by a name beside it. */
export function valuesOfSecretsIn(fields: Readonly<Record<string, unknown>>): (name: string) => boolean {
  const isOfSecret = Object.entries(fields).some(([name, value]) => namesSecret(value) && namingField.test(plain(name)))
  return (name) => isOfSecret && valueField.test(plain(name))
}

/** And also whether by its own. */
export function secretFieldsOf(fields: Readonly<Record<string, unknown>>): (name: string) => boolean {
  const isValue = valuesOfSecretsIn(fields)
  return (name) => isSecretKey(name) || isValue(name)
}

/** Whether an element of a list is the value of the name before it; both may be in objects of their own. */
export const isNamedBefore = (list: readonly unknown[], at: number): boolean =>
  at > 0 && (isSecretKey(list[at - 1]) || (hasOnly(namesOfSecret, list[at - 1]) && hasOnly(values, list[at])))

type Field = readonly [name: string, value: unknown]
const namesOfSecret = ([name, value]: Field): boolean => isSecretKey(value) && namingField.test(plain(name))
const values = ([name]: Field): boolean => valueField.test(plain(name))

/** Of a name and its value, the one alone. */
function hasOnly(wanted: (field: Field) => boolean, one: unknown): boolean {
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return false
  const fields = Object.entries(one)
  return fields.length === 1 && fields.every(wanted)
}

export function isListOfNames(name: string, value: unknown): value is readonly unknown[] {
  return nameLists.has(name) && Array.isArray(value)
}
