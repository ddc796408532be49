// A raw call to a charge point: what has to hold before it is sent, and what is answered.

import { type TProperties, Type } from 'typebox'
import { callErrors } from '../../../actors/command-router/errors.js'
import { answeredStatus } from '../../../actors/command-router/outcome.js'
import type { OcppCall } from '../../../ocpp16/index.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { notFound } from '../../../runtime/errors.js'
import { recordedParameters } from '../../pipeline/redact.js'
import { timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { authorize } from '../../pipeline/steps/authorize.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import { requireRecentSignIn } from '../../surfaces/recent-sign-in.js'
import { authorizationKeyOf, pushAuthorizationKey } from '../authorization-keys/push-authorization-key.js'
import {
  answerOf,
  defaultTimeoutSeconds,
  type RecordedCommand,
  requireAnswer,
  runCommand,
} from '../commands/run-command.js'
import { refuseOwnNumber } from '../reservations/reservation-numbers.js'

export const rawScopes = ['write:charge_points', 'write:commands'] as const

export const rawErrors = [notFound, ...callErrors]

export const rawAnswer = (fields: TProperties) =>
  Type.Object({
    charge_point_id: Type.String(),
    status: Type.String({
      description:
        'The status in the answer of the charge point. HTTP 200 only means that the charge point answered: a refusal, such as `Rejected`, is ' +
        'shown here, and so is `NotImplemented` or `NotSupported` if the charge point does not know the action. Any other CALLERROR is answered ' +
        'with the error `ocpp_error`.',
    }),
    sent_at: timestamp(),
    ...fields,
  })

export interface Sent {
  readonly recorded: RecordedCommand
  /** What every raw command answers; each adds fields of its own. */
  readonly body: { readonly charge_point_id: string; readonly status: string; readonly sent_at: string }
}

/** Throws `conflict`, `sign_in_again` for a password, and what `rawErrors` names. */
export async function sendRaw(
  principal: Principal,
  chargePoint: ChargePoint,
  call: OcppCall,
  services: Services,
): Promise<Sent> {
  refuseOwnNumber(chargePoint, call, services)
  const recorded = await run(principal, chargePoint, call, services)
  const { charge_point_id } = chargePoint
  return { recorded, body: { charge_point_id, status: rawStatus(recorded), sent_at: recorded.record.executed_at } }
}

/** A password is what the charge point connects with next, so it is good before it is sent; and whoever sets one needs what making one takes. */
function run(
  principal: Principal,
  { charge_point_id: chargePointId }: ChargePoint,
  call: OcppCall,
  services: Services,
): Promise<RecordedCommand> {
  const key = authorizationKeyOf(call, '/payload')
  if (key !== undefined) {
    authorize(operator, principal, ['write:charge_points'])
    requireRecentSignIn(principal)
    return pushAuthorizationKey(principal, chargePointId, key, String(call.payload.value), services)
  }
  const parameters = recordedParameters(call.payload)
  const timeoutMs = defaultTimeoutSeconds * 1_000
  return runCommand(principal, { chargePointId, command: call.action, parameters, call, timeoutMs }, services)
}

/** The status of the answer; a charge point that does not know the action answers with a CALLERROR. */
function rawStatus(recorded: RecordedCommand): string {
  const { outcome } = recorded
  if (outcome.type === 'call-error' && (outcome.code === 'NotImplemented' || outcome.code === 'NotSupported'))
    return outcome.code
  requireAnswer(recorded)
  return answeredStatus(answerOf(recorded).charge_point_response) ?? 'Accepted'
}
