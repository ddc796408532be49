// Sends a charge point its new password by ChangeConfiguration (security whitepaper, A01). From before it is sent until the charge
// point has logged in with it, the old one is good too; where the charge point surely goes on with the old one, nothing has changed.
// So too for one that seems to be offline: it may just have connected.

import { limits } from '../../../actors/charge-point/limits.js'
import { callOf, changeConfiguration, type OcppCall } from '../../../ocpp16/index.js'
import { type AuthorizationKeyHash, hashAuthorizationKey } from '../../../records/authorization-key.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { type PushedKeys, withKeysOf, withPushedKey } from '../../../records/pushed-key.js'
import { AmpshardError, conflict, notFound } from '../../../runtime/errors.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import { limits as requestLimits } from '../../pipeline/limits.js'
import { recordedParameters } from '../../pipeline/redact.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import type { Principal } from '../../surfaces/principal.js'
import { chargePoints } from '../charge-points/area.js'
import { changeChargePoint } from '../charge-points/change-charge-point.js'
import { defaultTimeoutSeconds, type RecordedCommand, runCommand } from '../commands/run-command.js'

/** 16 to 20 bytes, in hex. */
const keyText = /^(?:[0-9A-Fa-f]{2}){16,20}$/

/** The key in a call that sets a charge point's password, as bytes; undefined for any other call. Throws `validation_error`. */
export function authorizationKeyOf({ action, payload }: OcppCall, pointer: string): Buffer | undefined {
  const { key, value } = payload
  if (action !== changeConfiguration.action || typeof key !== 'string' || key.toLowerCase() !== 'authorizationkey')
    return undefined
  if (typeof value === 'string' && keyText.test(value)) return Buffer.from(value, 'hex')
  const message = 'must be an AuthorizationKey: 16 to 20 bytes in hexadecimal notation'
  throw invalid([{ path: `${pointer}/value`, message }])
}

/** What a charge point loses of keys that were replaced, and of the way to one, once it is known which one it has. */
export const noReplacedKeys = {
  previous_authorization_key: undefined,
  earlier_authorization_keys: undefined,
  without_password: undefined,
} as const

/** `value` is the text that the charge point is sent. Never throws for what the charge point answers. */
export async function pushAuthorizationKey(
  principal: Principal,
  chargePointId: string,
  key: Buffer,
  value: string,
  services: Services,
): Promise<RecordedCommand> {
  const hash = hashAuthorizationKey(key)
  const before = await store(principal, chargePointId, (now) => pushed(now, hash), services)
  if (before === undefined) throw notFound('there is no such charge point', { chargePointId })
  const takeBack = async (): Promise<void> => {
    await store(principal, chargePointId, (now) => withKeysOf(before, now, hash), services)
  }
  let recorded: RecordedCommand
  try {
    recorded = await sendKey(principal, chargePointId, value, services)
  } catch (error) {
    // The command was refused before anything was sent.
    if (error instanceof AmpshardError && error.code === 'rate_limited') await takeBack()
    throw error
  }
  if (wasNotTaken(recorded)) await takeBack()
  return recorded
}

/** Throws `conflict`. */
function pushed(before: ChargePoint, key: AuthorizationKeyHash): PushedKeys {
  const keys = withPushedKey(before, key, limits.earlierAuthorizationKeys)
  if (keys === undefined)
    throw conflict('too many keys wait for the charge point to connect with one of them', {
      chargePointId: before.charge_point_id,
    })
  return keys
}

/**
 * Commits a change of the keys for itself, and resolves with the charge point before it: the charge point must not hear of a key that a
 * crash would forget. What others change at the same time is kept. Undefined where there was nothing to change. Throws `conflict`.
 */
function store(
  principal: Principal,
  chargePointId: string,
  keysOf: (now: ChargePoint) => PushedKeys | undefined,
  services: Services,
): Promise<ChargePoint | undefined> {
  return commitDraft(
    {
      attempts: requestLimits.commitAttempts,
      decide(draft) {
        const before = chargePoints.find(draft, principal, chargePointId)
        const keys = before && keysOf(before)
        if (before === undefined || keys === undefined) return undefined
        changeChargePoint(draft, before, keys, services)
        return before
      },
      otherwise: () => conflict('others changed the charge point at the same time; try again', { chargePointId }),
    },
    services,
  )
}

function sendKey(
  principal: Principal,
  chargePointId: string,
  value: string,
  services: Services,
): Promise<RecordedCommand> {
  const call = callOf(changeConfiguration, { key: 'AuthorizationKey', value })
  return runCommand(
    principal,
    {
      chargePointId,
      command: call.action,
      parameters: recordedParameters(call.payload),
      call,
      timeoutMs: defaultTimeoutSeconds * 1_000,
    },
    services,
  )
}

/** Whether the charge point surely goes on with its old key; without an answer, both stay good. */
function wasNotTaken({ record, outcome }: RecordedCommand): boolean {
  if (outcome.type === 'answered') return record.status !== 'Accepted'
  return outcome.type !== 'timeout' && outcome.type !== 'connection-lost'
}
