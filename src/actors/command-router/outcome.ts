// What a call's outcome means for the command's record. Pure; statuses are compared without regard to case.

import { withoutText } from '../../ocpp16/secrets.js'
import { withoutSecrets } from '../../ocpp16/without-secrets.js'
import type { CommandRecord, CommandStatus } from '../../records/command.js'
import { boundedJson } from '../../runtime/bounded-json.js'
import { limits as runtimeLimits } from '../../runtime/limits.js'
import { isDeeperThan } from '../../runtime/nesting.js'
import type { CallOutcome } from '../charge-point/messages.js'
import { limits } from './limits.js'
import { commandErrors } from './messages.js'

const successes = new Set(['accepted', 'scheduled', 'unlocked', 'rebootrequired'])

/** The `status` of a charge point's answer, as it spelled it. */
export function answeredStatus(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('status' in payload)) return undefined
  return typeof payload.status === 'string' ? payload.status : undefined
}

/** Accepted for success in any form, and for an answer that has no status. */
export function statusOfAnswer(payload: unknown): CommandStatus {
  const status = answeredStatus(payload)
  return status === undefined || successes.has(status.toLowerCase()) ? 'Accepted' : 'Rejected'
}

type Ending = Pick<CommandRecord, 'status' | 'charge_point_response' | 'response_time_ms' | 'error'>

/** What can be stored of an answer: no secret, not even one that was `sent`, and not what a charge point nests without end. */
export function storable(payload: unknown, sent: readonly string[]): unknown {
  if (isDeeperThan(payload, runtimeLimits.nesting)) return { error: `nested more than ${runtimeLimits.nesting} deep` }
  return withoutSecrets(payload, sent)
}

/** The same within the bound of a record. */
export function recorded(payload: unknown, sent: readonly string[]): unknown {
  return boundedJson(storable(payload, sent), limits.recordedResponseCharacters)
}

type CallError = Extract<CallOutcome, { type: 'call-error' }>

function storableError(error: CallError, sent: readonly string[]): CallError {
  const [code, description] = [withoutText(error.code, sent), withoutText(error.description, sent)]
  return { ...error, code, description, details: storable(error.details, sent) }
}

/** The outcome as it is passed on. */
export function storableOutcome(outcome: CallOutcome, sent: readonly string[]): CallOutcome {
  if (outcome.type === 'answered') return { ...outcome, payload: storable(outcome.payload, sent) }
  return outcome.type === 'call-error' ? storableError(outcome, sent) : outcome
}

export function endingOf(outcome: CallOutcome, sent: readonly string[]): Ending {
  switch (outcome.type) {
    case 'answered':
      return {
        status: statusOfAnswer(outcome.payload),
        charge_point_response: recorded(outcome.payload, sent),
        response_time_ms: Math.round(outcome.responseTimeMs),
      }
    case 'call-error': {
      const { code, description, details } = storableError(outcome, sent)
      const response = { errorCode: code, errorDescription: description, errorDetails: details }
      return {
        status: 'Error',
        charge_point_response: boundedJson(response, limits.recordedResponseCharacters),
        response_time_ms: Math.round(outcome.responseTimeMs),
        error: code,
      }
    }
    case 'timeout':
      return unanswered('Timeout', commandErrors.timeout)
    case 'offline':
      return unanswered('Error', commandErrors.offline)
    case 'connection-lost':
      return unanswered('Error', commandErrors.connectionLost)
    case 'not-sent':
      return unanswered('Error', commandErrors.notSent)
    case 'not-accepted':
      return unanswered('Error', commandErrors.notAccepted)
    case 'managed-by-site':
      return unanswered('Error', commandErrors.managedBySite)
    case 'queue-full':
      return unanswered('Error', commandErrors.rateLimited)
  }
}

/** The outcome that a record tells of; undefined for one that was interrupted. The rest of what a charge point said is not in it. */
export function outcomeOf({ status, error, ...record }: CommandRecord): CallOutcome | undefined {
  const responseTimeMs = record.response_time_ms ?? 0
  if (error === undefined) return { type: 'answered', payload: record.charge_point_response, responseTimeMs }
  if (status === 'Timeout') return { type: 'timeout' }
  switch (error) {
    case commandErrors.offline:
      return { type: 'offline' }
    case commandErrors.connectionLost:
      return { type: 'connection-lost' }
    case commandErrors.rateLimited:
      return { type: 'queue-full' }
    case commandErrors.managedBySite:
      return { type: 'managed-by-site' }
    case commandErrors.interrupted:
      return undefined
  }
  const { errorDescription = '', errorDetails = {} } = (record.charge_point_response ?? {}) as {
    readonly errorDescription?: string
    readonly errorDetails?: unknown
  }
  return { type: 'call-error', code: error, description: errorDescription, details: errorDetails, responseTimeMs }
}

/** How a command ends that no charge point has answered. */
export function unanswered(status: CommandStatus, error: string): Ending {
  return { status, charge_point_response: null, response_time_ms: null, error }
}
