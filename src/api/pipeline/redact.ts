// What must not stand in a command's record: passwords in URLs, and keys that ChangeConfiguration sets.

import { changeConfiguration } from '../../ocpp16/index.js'
import { isSecretKey, redacted, redactUrl } from '../../ocpp16/secrets.js'
import { boundedJson } from '../../runtime/bounded-json.js'
import { limits } from './limits.js'

/** The parameters of a command as they are recorded: without secrets, and without what is too large. */
export function recordedParameters(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return withinBounds(redactParameters(parameters))
}

function withinBounds(parameters: Record<string, unknown>): Record<string, unknown> {
  const kept = boundedJson(parameters, limits.recordedParametersCharacters)
  // So many that not even their names have room.
  return typeof kept === 'string' ? { parameters: kept } : (kept as Record<string, unknown>)
}

function redactParameters(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, redactValue(value)]))
}

/** At any depth: GetLog and SignedUpdateFirmware have their URLs in an inner object. Nesting is bounded where bodies are read. */
function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactUrl(value)
  if (Array.isArray(value)) return value.map(redactValue)
  return typeof value === 'object' && value !== null ? redactParameters(value as Record<string, unknown>) : value
}

/** An OCPP payload as it is recorded. */
export function recordedPayload(action: string, payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { key } = payload
  const shown = redactParameters(payload)
  if (action === changeConfiguration.action && isSecretKey(key)) shown.value = redacted
  return withinBounds(shown)
}
