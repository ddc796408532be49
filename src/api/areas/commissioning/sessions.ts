// How the API shows a commissioning.

import { type Static, Type } from 'typebox'
import { triggerMessage } from '../../../ocpp16/index.js'
import { redacted } from '../../../ocpp16/secrets.js'
import {
  type CommissioningSession,
  commissioningStatuses,
  exchangeOutcomes,
  logLevels,
  type StepName,
  stepNames,
  stepStatuses,
} from '../../../records/commissioning.js'
import { keyAnswers, keyOutcomes } from '../../../records/configuration.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'

const configuredKey = Type.Object({
  key: Type.String(),
  wanted: Type.String({
    description:
      'Up to 200 characters; secrets are redacted, and so is all of it for the installer once an organization has claimed the charge point.',
  }),
  reported: nullable(
    Type.String({ description: 'What the charge point has reported instead, where that is known and no secret.' }),
  ),
  outcome: nullable(Type.Enum([...keyOutcomes], { description: 'null where the step ended before it was known.' })),
  answer: nullable(
    Type.Enum([...keyAnswers], {
      description: 'To ChangeConfiguration; null where the key was not changed, or refused.',
    }),
  ),
})

const exchange = Type.Object({
  sent: Type.String({
    description: 'An OCPP action, `Ping`, or `Configuration`: all calls with which a configuration was applied.',
    examples: [triggerMessage.action],
  }),
  parameters: nullable(Type.Object({}, { additionalProperties: true })),
  sent_at: timestamp(),
  ended_at: timestamp(),
  outcome: Type.Enum([...exchangeOutcomes], {
    description:
      'error: the charge point answered with an OCPP error. unsent: it was sent nothing. unknown: the connection was lost, or the service interrupted, before an answer came. not_asked: it was sent nothing, because its model is known to answer so.',
  }),
  answer: nullable(Type.String()),
  response_time_ms: nullable(Type.Number()),
  reported_at: nullable(
    timestamp(
      'When the Heartbeat or the StatusNotification came that a TriggerMessage asked for; null where none came, and for everything else that is sent.',
    ),
  ),
  keys: nullable(
    Type.Array(configuredKey, {
      description:
        'What became of each key of a configuration, for up to 100 keys: those that are not as wanted come first. null for everything else that is sent.',
    }),
  ),
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

/** For its installer once an organization has claimed the charge point: what it is configured with is that organization's. */
export function withoutValues(session: CommissioningSession): CommissioningSession {
  const steps = session.steps.map((step) => ({
    ...step,
    evidence: step.evidence.map(({ keys, ...exchange }) => ({
      ...exchange,
      ...(keys !== undefined && { keys: keys.map(({ reported: _, ...key }) => ({ ...key, wanted: redacted })) }),
    })),
  }))
  return { ...session, steps }
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
      evidence: evidence.map(({ parameters, answer, response_time_ms, reported_at, keys, ...rest }) => ({
        ...rest,
        parameters: parameters ?? null,
        answer: answer ?? null,
        response_time_ms: response_time_ms ?? null,
        reported_at: reported_at ?? null,
        keys:
          keys?.map(({ reported = null, outcome = null, answer = null, ...key }) => ({
            ...key,
            reported,
            outcome,
            answer,
          })) ?? null,
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
