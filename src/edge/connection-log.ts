// What the log says of charge points at debug: connections, refusals and messages, and at trace what messages carry, without
// secrets and id tags. At other levels it costs nothing: no frame is parsed.

import type { Logger } from 'pino'
import { limits } from '../ocpp16/limits.js'
import { idTagFields, redacted, secretsOf } from '../ocpp16/secrets.js'
import { withoutSecrets } from '../ocpp16/without-secrets.js'
import { hasMoreValues } from '../runtime/nesting.js'

export interface ConnectionLog {
  connected(chargePointId: string, details: { readonly remoteAddress: string; readonly securityProfile: number }): void
  disconnected(chargePointId: string, code: number, reason: string): void
  refused(
    chargePointId: string,
    refusal: { readonly status: number; readonly reason: string; readonly remoteAddress: string },
  ): void
  frame(chargePointId: string, direction: 'received' | 'sent', text: string): void
}

const nothing = (): void => {}
/** Deeper than any message of OCPP. */
const deepest = 32
const messageTypes: Readonly<Record<string, string>> = { 2: 'CALL', 3: 'CALLRESULT', 4: 'CALLERROR' }

export function createConnectionLog(log: Logger): ConnectionLog {
  if (!log.isLevelEnabled('debug'))
    return { connected: nothing, disconnected: nothing, refused: nothing, frame: nothing }
  const tracing = log.isLevelEnabled('trace')
  return {
    connected: (chargePointId, { remoteAddress, securityProfile }) =>
      log.debug(
        { charge_point_id: chargePointId, remote_address: remoteAddress, security_profile: securityProfile },
        'connected',
      ),
    disconnected: (chargePointId, code, reason) =>
      log.debug({ charge_point_id: chargePointId, code, reason }, 'disconnected'),
    refused: (chargePointId, { status, reason, remoteAddress }) =>
      log.debug(
        { charge_point_id: chargePointId, status, reason, remote_address: remoteAddress },
        'connection refused',
      ),
    frame: (chargePointId, direction, text) =>
      log.debug({ charge_point_id: chargePointId, ...describeFrame(text, tracing) }, `message ${direction}`),
  }
}

/** A frame that cannot be read is described by its length alone: what it holds may be anything. So is one that takes long to read. */
function describeFrame(text: string, withPayload: boolean): Readonly<Record<string, unknown>> {
  if (hasMoreValues(text, limits.maskedValues)) return { unread: true, characters: text.length }
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    frame = undefined
  }
  const type = Array.isArray(frame) ? messageTypes[String(frame[0])] : undefined
  if (!Array.isArray(frame) || type === undefined) return { unreadable: true, characters: text.length }
  const [, messageId, name] = frame as unknown[]
  const payload = frame[type === 'CALL' ? 3 : type === 'CALLRESULT' ? 2 : 4] as unknown
  return {
    type,
    message_id: String(messageId).slice(0, 64),
    ...(type === 'CALL' && { action: String(name).slice(0, 64) }),
    ...(type === 'CALLERROR' && { error_code: String(name).slice(0, 64) }),
    // As text: what is secret is masked here, and the names of configuration keys are not.
    ...(withPayload && { payload: JSON.stringify(masked(type === 'CALL' ? String(name) : '', shallow(payload))) }),
  }
}

/** Whatever goes through all of it comes back: a frame has room for ten thousand levels. */
function shallow(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return '...'
  if (Array.isArray(value)) return value.map((part) => shallow(part, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shallow(part, depth + 1)]))
}

function masked(action: string, payload: unknown): unknown {
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
  const secrets = isObject ? secretsOf({ action, payload: payload as Record<string, unknown> }) : []
  return withoutIdTags(withoutSecrets(payload, secrets))
}

function withoutIdTags(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIdTags)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, idTagFields.has(name) ? redacted : withoutIdTags(part)]),
  )
}
