// What a commissioning sends: commands by way of the command router, so that they are in the history like those of an operator, pings, and the
// application of a configuration.

import type { OcppCall } from '../../ocpp16/index.js'
import { chargePointsTable } from '../../records/charge-point.js'
import type { CommissioningSession, Exchange } from '../../records/commissioning.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import type { ApplyConfigurationMessage, StopConfigurationMessage } from '../charge-point/configuration-messages.js'
import { type ConnectionTest, chargePointAddress, type TestConnectionMessage } from '../charge-point/messages.js'
import { type CommandReply, commandRouterAddress, type ExecuteMessage } from '../messages/command.js'
import { shown } from './exchanges.js'
import { commissioningAddress } from './messages.js'
import { currentStep } from './progress.js'
import { neverAnswersPings } from './steps.js'

type End = Pick<Exchange, 'outcome' | 'answer' | 'response_time_ms'>

const timeoutMs = 15_000
/** The router, or the front that pings, may have died with the question: after this nothing is heard of it any more. */
export const answersWithinMs = 30_000

export function sendCall(
  session: CommissioningSession,
  commandId: string,
  { action, payload }: OcppCall,
  organizationId: string,
): Effect {
  const message: ExecuteMessage = {
    type: 'execute',
    commandId,
    chargePointId: session.charge_point_id,
    command: action,
    parameters: payload,
    call: { action, payload },
    executedBy: `installer:${session.installer_id}`,
    timeoutMs,
    notify: commissioningAddress(session.charge_point_id),
  }
  return effect.send(commandRouterAddress(organizationId), message)
}

export function sendPing({ charge_point_id }: CommissioningSession, id: string): Effect {
  const message: TestConnectionMessage = {
    type: 'test-connection',
    notify: { to: commissioningAddress(charge_point_id), id },
  }
  return effect.send(chargePointAddress(charge_point_id), message)
}

/** It may be sent again: with the same id, it begins nothing twice. */
export function sendConfiguration(
  { charge_point_id, installer_id, configuration, configuration_template_id }: CommissioningSession,
  applicationId: string,
  organizationId: string,
): Effect {
  const message: ApplyConfigurationMessage = {
    type: 'apply-configuration',
    applicationId,
    organizationId,
    keys: configuration,
    ...(configuration_template_id !== undefined && { templateId: configuration_template_id }),
    begunBy: `installer:${installer_id}`,
  }
  return effect.send(chargePointAddress(charge_point_id), message)
}

/** The application that it is at, where it has begun one. */
export function stopConfiguring(session: CommissioningSession, context: Context): readonly Effect[] {
  const step = currentStep(session)
  const chargePoint = context.read().get(chargePointsTable, [session.charge_point_id])
  if (step?.application_id === undefined || chargePoint === undefined) return []
  const message: StopConfigurationMessage = {
    type: 'stop-configuration',
    organizationId: chargePoint.organization_id,
    applicationId: step.application_id,
  }
  return [effect.send(chargePointAddress(session.charge_point_id), message)]
}

export function endOfPing(test: ConnectionTest): End {
  switch (test.type) {
    case 'pinged': {
      if (test.latencyMs === null)
        return { outcome: 'timeout', ...(!test.answersPings && { answer: neverAnswersPings }) }
      const latencyMs = Math.round(test.latencyMs)
      return { outcome: 'answered', answer: `after ${latencyMs} ms`, response_time_ms: latencyMs }
    }
    case 'not-pinged':
      return { outcome: 'unsent', answer: 'not pinged' }
    case 'offline':
      return { outcome: 'unsent', answer: 'not connected' }
    case 'busy':
      return { outcome: 'unsent', answer: 'too many ask for pings' }
  }
}

export function endOfCommand(reply: CommandReply): End {
  if (reply.type === 'refused') return { outcome: 'unsent', answer: shown(reply.message) }
  const { outcome, record } = reply
  switch (outcome.type) {
    case 'answered':
      return { outcome: 'answered', answer: statusOf(outcome.payload), response_time_ms: outcome.responseTimeMs }
    case 'call-error':
      return { outcome: 'error', answer: shown(outcome.code), response_time_ms: outcome.responseTimeMs }
    case 'timeout':
      return { outcome: 'timeout' }
    case 'connection-lost':
      return { outcome: 'unknown', answer: 'the connection was lost' }
    default:
      return { outcome: 'unsent', answer: shown(record.error ?? outcome.type) }
  }
}

/** The status in the payload of an answer. */
export function statusOf(payload: unknown): string {
  const isStatus = typeof payload === 'object' && payload !== null && 'status' in payload
  return shown(String(isStatus ? payload.status : 'nothing'))
}
