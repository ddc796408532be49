// What a call's outcome means for the command's record. Pure; statuses are compared without regard to case.

import { limits } from '../../runtime/limits.js'
import { isDeeperThan } from '../../runtime/nesting.js'
import type { CallOutcome } from '../charge-point/messages.js'
import type { CommandRecord, CommandStatus } from '../records/command.js'
import { commandErrors } from './messages.js'
import { withoutSecrets } from './secret-keys.js'

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

/** What can be stored of an answer: no secret, and not what a charge point nests without end. */
export function storable(payload: unknown): unknown {
  if (isDeeperThan(payload, limits.nesting)) return { error: `nested more than ${limits.nesting} deep` }
  return withoutSecrets(payload)
}

/** The outcome as it is passed on. */
export function storableOutcome(outcome: CallOutcome): CallOutcome {
  if (outcome.type === 'answered') return { ...outcome, payload: storable(outcome.payload) }
  return outcome.type === 'call-error' ? { ...outcome, details: storable(outcome.details) } : outcome
}

export function endingOf(outcome: CallOutcome): Ending {
  switch (outcome.type) {
    case 'answered':
      return {
        status: statusOfAnswer(outcome.payload),
        charge_point_response: storable(outcome.payload),
        response_time_ms: Math.round(outcome.responseTimeMs),
      }
    case 'call-error':
      return {
        status: 'Error',
        charge_point_response: {
          errorCode: outcome.code,
          errorDescription: outcome.description,
          errorDetails: storable(outcome.details),
        },
        response_time_ms: Math.round(outcome.responseTimeMs),
        error: outcome.code,
      }
    case 'timeout':
      return unanswered('Timeout', commandErrors.timeout)
    case 'offline':
      return unanswered('Error', commandErrors.offline)
    case 'connection-lost':
      return unanswered('Error', commandErrors.connectionLost)
    case 'queue-full':
      return unanswered('Error', commandErrors.rateLimited)
  }
}

/** How a command ends that no charge point has answered. */
export function unanswered(status: CommandStatus, error: string): Ending {
  return { status, charge_point_response: null, response_time_ms: null, error }
}
