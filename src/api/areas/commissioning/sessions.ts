// How the API shows a commissioning.

import { type Static, Type } from 'typebox'
import { triggerMessage } from '../../../ocpp16/index.js'
import {
  type CommissioningSession,
  commissioningStatuses,
  exchangeOutcomes,
  logLevels,
  type StepName,
  stepNames,
  stepStatuses,
} from '../../../records/commissioning.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'

const exchange = Type.Object({
  sent: Type.String({ description: 'An OCPP action, or `Ping`.', examples: [triggerMessage.action] }),
  parameters: nullable(Type.Object({}, { additionalProperties: true })),
  sent_at: timestamp(),
  ended_at: timestamp(),
  outcome: Type.Enum([...exchangeOutcomes], {
    description:
      'error: the charge point answered with an OCPP error. unsent: it was sent nothing. unknown: the connection was lost, or the service interrupted, before an answer came. not_asked: it was sent nothing, because its model is known to answer so.',
  }),
  answer: nullable(Type.String()),
  response_time_ms: nullable(Type.Number()),
})

const step = Type.Object({
  name: Type.Enum([...stepNames]),
  status: Type.Enum([...stepStatuses]),
  duration_ms: nullable(Type.Integer()),
  detail: nullable(Type.String({ description: 'What has passed, or why it has failed.' })),
  evidence: Type.Array(exchange),
})

export const sessionSchema = named('CommissioningSession', {
  charge_point_id: Type.String(),
  session_id: Type.String({ examples: ['com_01M7YW4E6G2T1X0Z8V7S5D6C4R'] }),
  status: Type.Enum([...commissioningStatuses]),
  result: nullable(Type.Enum(['passed', 'failed'])),
  template_id: Type.String(),
  started_at: timestamp(),
  completed_at: nullable(timestamp()),
  estimated_duration_seconds: Type.Integer(),
  steps: Type.Array(step),
})

/** Of a charge point that answers at once, and a vehicle that is plugged in. */
const estimatedSeconds: Readonly<Record<StepName, number>> = {
  connectivity: 1,
  heartbeat: 1,
  configuration: 10,
  connector_test: 5,
  test_transaction: 60,
}

export function sessionView(session: CommissioningSession): Static<typeof sessionSchema> {
  const { charge_point_id, session_id, status, result, template_id, started_at, ended_at } = session
  return {
    charge_point_id,
    session_id,
    status,
    result: result ?? null,
    template_id,
    started_at,
    completed_at: status === 'completed' || status === 'failed' ? (ended_at ?? null) : null,
    estimated_duration_seconds: session.steps.reduce((sum, { name }) => sum + estimatedSeconds[name], 0),
    steps: session.steps.map(({ name, status, duration_ms, detail, evidence }) => ({
      name,
      status,
      duration_ms: duration_ms ?? null,
      detail: detail ?? null,
      evidence: evidence.map(({ parameters, answer, response_time_ms, ...rest }) => ({
        ...rest,
        parameters: parameters ?? null,
        answer: answer ?? null,
        response_time_ms: response_time_ms ?? null,
      })),
    })),
  }
}

export const logEntry = Type.Object({
  timestamp: timestamp(),
  level: Type.Enum([...logLevels]),
  step: nullable(Type.Enum([...stepNames])),
  message: Type.String(),
})
