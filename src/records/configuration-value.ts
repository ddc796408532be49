// Configuration keys and their values (OCPP 1.6, 9): how they are written, and when two spellings are the same.

import { isSecretKey, passwordOf, redacted } from '../ocpp16/secrets.js'

/** As templates and overrides have them; charge points are sent text. */
export type ParameterValue = string | number | boolean
export type Parameters = Readonly<Record<string, ParameterValue>>

/** Keys are compared without regard to case (OCPP 1.6, 9). */
export function foldKey(key: string): string {
  return key.toLowerCase()
}

/** As ChangeConfiguration has it: always text (OCPP 1.6, 5.3). */
export function valueText(value: ParameterValue): string {
  return String(value)
}

/** What may be stored and shown of a value that a charge point has reported; undefined for a secret. */
export function shownValue(key: string, value: string | undefined): string | undefined {
  if (value === undefined || isSecretKey(key)) return undefined
  const password = passwordOf(value)
  return password === undefined ? value : value.replaceAll(password, redacted)
}

/** The same of a value that is wanted. */
export function shownWanted(key: string, value: string): string {
  return shownValue(key, value) ?? redacted
}

/** Whether a value is what was wanted: charge points quote and pad values, write numbers and booleans in other ways, and sort lists. */
export function isSameValue(wanted: string, reported: string): boolean {
  const [one, other] = [plain(wanted), plain(reported)]
  if (one === other) return true
  const number = decimal(one)
  if (number !== undefined && number === decimal(other)) return true
  if (isBoolean(one)) return one === (other === '1' ? 'true' : other === '0' ? 'false' : other)
  return (one.includes(',') || other.includes(',')) && listOf(one) === listOf(other)
}

/** Values are compared without regard to case, as their type in OCPP 1.6 says (CiString500). */
function plain(text: string): string {
  const trimmed = text.trim()
  const unquoted = /^"(.*)"$|^'(.*)'$/s.exec(trimmed)
  return (unquoted?.[1] ?? unquoted?.[2] ?? trimmed).trim().toLowerCase()
}

function isBoolean(text: string): boolean {
  return text === 'true' || text === 'false'
}

/** In its shortest form, as text: values may have more digits than a number can hold. */
function decimal(text: string): string | undefined {
  const parts = /^([+-]?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text)
  if (parts === null) return undefined
  const [, sign, whole, fraction = ''] = parts
  const size = fraction === '' ? (whole as string) : `${whole}.${fraction}`
  return sign === '-' && size !== '0' ? `-${size}` : size
}

function listOf(text: string): string {
  return [...new Set(itemsOf(text))].sort().join(',')
}

/** The elements of a list of values, such as measurands. */
export function itemsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
