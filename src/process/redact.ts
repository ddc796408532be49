// What must not reach the log: the values of secret names, at any depth, and OCPP's passwords, which come as key and value.

import { inSources } from '../runtime/source-positions.js'

const secretNames = new Set([
  'authorization',
  'password',
  'token',
  'secret',
  'key',
  'apikey',
  'xapikey',
  'bootstrapapikey',
  'smtpurl',
  'iban',
  'privatekey',
  'privatekeypem',
  'authorizationkey',
  'idtag',
])
const censored = '[redacted]'
const deepest = 8

const isSecret = (name: string): boolean => secretNames.has(name.toLowerCase().replace(/[-_]/g, ''))

/** A copy without secrets; an error becomes its name, message, stack, cause and own fields. */
export function redactSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  if (depth >= deepest) return '[too deep]'
  if (Array.isArray(value)) return value.map((entry) => redactSecrets(entry, depth + 1))
  if (value instanceof Error) return plainError(value, depth)
  const entries = Object.entries(value)
  // ChangeConfiguration: { key: 'AuthorizationKey', value: the password }.
  const namesSecret = entries.some(([name, entry]) => name === 'key' && typeof entry === 'string' && isSecret(entry))
  return Object.fromEntries(
    entries.map(([name, entry]) => [
      name,
      isSecret(name) || (namesSecret && name === 'value') ? censored : redactSecrets(entry, depth + 1),
    ]),
  )
}

function plainError(error: Error, depth: number): Record<string, unknown> {
  return {
    ...(redactSecrets({ ...error }, depth) as object),
    type: error.name,
    message: error.message,
    stack: error.stack === undefined ? undefined : inSources(error.stack),
    ...(error.cause !== undefined && { cause: redactSecrets(error.cause, depth + 1) }),
  }
}
