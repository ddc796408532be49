// How a charge point of a rollout is sent its update: by way of the command router, so that it is in the history like a command of an operator.

import { callOf, type OcppCall, signedUpdateFirmware, updateFirmware, writeTimestamp } from '../../ocpp16/index.js'
import { redactUrl } from '../../ocpp16/secrets.js'
import type { FirmwareRollout, RolloutChargePoint } from '../../records/firmware-rollout.js'
import { type Effect, effect } from '../../runtime/actor/actor.js'
import { commandRouterAddress, type ExecuteMessage } from '../messages/command.js'
import { limits } from './limits.js'
import { firmwareRolloutAddress } from './messages.js'

export function sendUpdate(rollout: FirmwareRollout, row: RolloutChargePoint, commandId: string, now: number): Effect {
  const call = updateCall(rollout, row, now)
  const message: ExecuteMessage = {
    type: 'execute',
    commandId,
    chargePointId: row.charge_point_id,
    command: call.action,
    // A certificate in each of ten thousand records would say the same ten thousand times.
    parameters: { firmware_url: redactUrl(rollout.firmware_url), rollout_id: rollout.rollout_id },
    call,
    executedBy: `rollout:${rollout.rollout_id}`,
    timeoutMs: limits.answerMs,
    notify: firmwareRolloutAddress(rollout.rollout_id),
  }
  return effect.send(commandRouterAddress(rollout.organization_id), message)
}

function updateCall(rollout: FirmwareRollout, row: RolloutChargePoint, now: number): OcppCall {
  const { firmware_url: location, signing_certificate, signature, retries, retry_interval_seconds } = rollout
  const again = {
    ...(retries !== undefined && { retries }),
    ...(retry_interval_seconds !== undefined && { retryInterval: retry_interval_seconds }),
  }
  if (signing_certificate === undefined || signature === undefined || row.is_unsigned === true)
    return callOf(updateFirmware, { location, retrieveDate: writeTimestamp(now), ...again })
  return callOf(signedUpdateFirmware, {
    requestId: row.request_id ?? 1,
    firmware: {
      location,
      retrieveDateTime: writeTimestamp(now),
      signingCertificate: signing_certificate,
      signature,
    },
    ...again,
  })
}
