// How a raw OCPP 1.6 command is declared: its action, what it is called with, and what its answer has. Sending, recording and
// the errors of all of them follow from here.

import { type Static, type TObject, Type } from 'typebox'
import { callErrors } from '../../../actors/command-router/errors.js'
import type { OcppCall } from '../../../actors/command-router/messages.js'
import { answeredStatus } from '../../../actors/command-router/outcome.js'
import type { Scope } from '../../../records/api-key.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { ErrorKind } from '../../../runtime/errors.js'
import { notFound } from '../../../runtime/errors.js'
import { redactPayload } from '../../pipeline/redact.js'
import { defineRoute, type Route } from '../../pipeline/route.js'
import { timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import { authorizationKeyOf, pushAuthorizationKey } from '../authorization-keys/push-authorization-key.js'
import { ownChargePoint } from '../charge-points/charge-points.js'
import { refuseOwnNumber } from '../reservations/reservation-numbers.js'
import { defaultTimeoutSeconds, type RecordedCommand, requireAnswer, runCommand } from './run-command.js'

const answerFields = {
  charge_point_id: Type.String(),
  status: Type.String({ description: "the charge point's answer" }),
  sent_at: timestamp(),
}

export interface RawAction<Body extends TObject> {
  /** The last segment of the path. */
  readonly name: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly scopes?: readonly [Scope, ...Scope[]]
  readonly body: Body
  readonly extra: TObject
  /** Throws `validation_error`, and what `errors` names. */
  call(body: Static<Body>, chargePoint: ChargePoint, services: Services): OcppCall
  extraFields(body: Static<Body>, recorded: RecordedCommand): Record<string, unknown>
  readonly errors?: readonly ErrorKind[]
  readonly example: Record<string, unknown>
}

const commandScopes = ['write:charge_points', 'write:commands'] as const

/** Of an action that names a connector. */
const anyConnector =
  'The connector is not compared with `connector_count`: a raw command is sent as it is, and the charge point answers for what it has.'

export function defineRaw<Body extends TObject>(raw: RawAction<Body>): Route {
  const words = [raw.description ?? '', 'connector_id' in raw.body.properties ? anyConnector : '']
  const description = words.filter((part) => part !== '').join(' ')
  return defineRoute({
    method: 'POST',
    path: `/api/v1/ocpp16/${raw.name}`,
    operationId: raw.operationId,
    summary: raw.summary,
    ...(description !== '' && { description }),
    tags: ['OCPP 1.6 commands'],
    surface: operator,
    scopes: raw.scopes ?? commandScopes,
    body: raw.body,
    responses: { 200: Type.Object({ ...answerFields, ...raw.extra.properties }) },
    errors: [notFound, ...(raw.errors ?? []), ...callErrors],
    sheddable: 'command',
    examples: { request: raw.example },
    async handle({ principal, body }, services) {
      // Every body of this file has a charge_point_id.
      const { charge_point_id } = body as unknown as { charge_point_id: string }
      const chargePoint = ownChargePoint(services.view(), principal, charge_point_id)
      const call = raw.call(body as Static<Body>, chargePoint, services)
      refuseOwnNumber(chargePoint, call, services)
      const recorded = await run(principal, chargePoint, call, services)
      const status = rawStatus(recorded)
      const { executed_at } = recorded.record
      return {
        status: 200,
        body: { charge_point_id, status, sent_at: executed_at, ...raw.extraFields(body as Static<Body>, recorded) },
      }
    },
  })
}

/** A password is what the charge point logs in with next, so it is good before it is sent. */
function run(
  principal: Principal,
  chargePoint: ChargePoint,
  call: OcppCall,
  services: Services,
): Promise<RecordedCommand> {
  const key = authorizationKeyOf(call.action, call.payload, '/payload')
  if (key !== undefined)
    return pushAuthorizationKey(principal, chargePoint.charge_point_id, key, String(call.payload.value), services)
  return runCommand(
    principal,
    {
      chargePointId: chargePoint.charge_point_id,
      command: call.action,
      parameters: redactPayload(call.action, call.payload),
      call,
      timeoutMs: defaultTimeoutSeconds * 1_000,
    },
    services,
  )
}

/** The status of the answer; a charge point that does not know the action says so with a CALLERROR. */
function rawStatus(recorded: RecordedCommand): string {
  const { outcome } = recorded
  if (outcome.type === 'call-error' && (outcome.code === 'NotImplemented' || outcome.code === 'NotSupported'))
    return outcome.code
  requireAnswer(recorded)
  return answeredStatus(recorded.record.charge_point_response) ?? 'Accepted'
}
