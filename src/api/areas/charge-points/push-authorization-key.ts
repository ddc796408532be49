// Sends a charge point its new password by ChangeConfiguration (security whitepaper, A01). From before it is sent until the charge
// point has logged in with it, the old one is good too; where the charge point surely goes on with the old one, nothing has changed.
// So too for one that seems to be offline: it may just have connected.

import { hashAuthorizationKey } from '../../../records/authorization-key.js'
import { type ChargePoint, chargePointsTable, withoutReplacedKeys } from '../../../records/charge-point.js'
import { AmpshardError, conflict, storageUnavailable, validationError } from '../../../runtime/errors.js'
import { limits as requestLimits } from '../../pipeline/limits.js'
import { redactPayload } from '../../pipeline/redact.js'
import type { Services } from '../../pipeline/services.js'
import type { Principal } from '../../surfaces/principal.js'
import { defaultTimeoutSeconds, type RecordedCommand, runCommand } from '../commands/run-command.js'
import { changeChargePoint } from './change-charge-point.js'
import { limits } from './limits.js'

/** 16 to 20 bytes, in hex. */
const keyText = /^(?:[0-9A-Fa-f]{2}){16,20}$/

/** The key in a call that sets a charge point's password, as bytes; undefined for any other call. Throws `validation_error`. */
export function authorizationKeyOf(
  action: string,
  payload: Readonly<Record<string, unknown>>,
  pointer: string,
): Buffer | undefined {
  const { key, value } = payload
  if (action !== 'ChangeConfiguration' || typeof key !== 'string' || key.toLowerCase() !== 'authorizationkey')
    return undefined
  if (typeof value === 'string' && keyText.test(value)) return Buffer.from(value, 'hex')
  const detail = { path: `${pointer}/value`, message: 'must be an AuthorizationKey: 16 to 20 bytes in hex' }
  throw validationError(`${detail.path} ${detail.message}`, { details: [detail] })
}

/** `value` is how the charge point is sent the key. Never throws for what the charge point answers. */
export async function pushAuthorizationKey(
  principal: Principal,
  before: ChargePoint,
  key: Buffer,
  value: string,
  services: Services,
): Promise<RecordedCommand> {
  const send = (): Promise<RecordedCommand> => sendKey(principal, before.charge_point_id, value, services)
  const { authorization_key: old, previous_authorization_key: previous, earlier_authorization_keys = [] } = before
  const earlier = previous === undefined ? [] : [previous, ...earlier_authorization_keys]
  if (earlier.length > limits.earlierAuthorizationKeys)
    throw conflict('too many keys wait for the charge point to log in with one of them', {
      chargePointId: before.charge_point_id,
    })
  const both: ChargePoint = {
    ...withoutReplacedKeys(before),
    authorization_key: hashAuthorizationKey(key),
    ...(old !== undefined && { previous_authorization_key: old }),
    ...(earlier.length > 0 && { earlier_authorization_keys: earlier }),
  }
  if (!(await store(before, both, services)))
    throw conflict('somebody else changed the charge point at the same time; try again')
  let recorded: RecordedCommand
  try {
    recorded = await send()
  } catch (error) {
    // The command was refused before anything was sent.
    if (error instanceof AmpshardError && error.code === 'rate_limited') await takeBack(before, both, services)
    throw error
  }
  if (wasNotTaken(recorded)) await takeBack(before, both, services)
  return recorded
}

/**
 * Commits the change for itself: the charge point must not hear of a key that a crash would forget. False where somebody else has
 * changed the charge point.
 */
async function store(before: ChargePoint, after: ChargePoint, services: Services): Promise<boolean> {
  const { changes = [], conditions = [], tell = [] } = changeChargePoint(before, after, services)
  const result = await services.commit(
    changes,
    conditions.map(({ condition }) => condition),
  )
  if (!result.ok) {
    if (result.reason === 'condition_failed') return false
    throw storageUnavailable('the store cannot take writes now; try again later')
  }
  for (const { to, message } of tell) services.tell(to, message)
  return true
}

/**
 * Puts the keys back that there were, and keeps what else has changed meanwhile. Where another key has replaced the pushed one, that
 * stays, and all before it are good until the charge point has logged in.
 */
async function takeBack(before: ChargePoint, pushed: ChargePoint, services: Services): Promise<void> {
  const { authorization_key, previous_authorization_key, earlier_authorization_keys } = before
  for (let attempt = 1; attempt <= requestLimits.commitAttempts; attempt++) {
    const now = services.view().get(chargePointsTable, [before.charge_point_id])
    if (now?.authorization_key?.hex_sha256 !== pushed.authorization_key?.hex_sha256 || now === undefined) return
    const { authorization_key: _, ...rest } = withoutReplacedKeys(now)
    const after: ChargePoint = {
      ...rest,
      ...(authorization_key !== undefined && { authorization_key }),
      ...(previous_authorization_key !== undefined && { previous_authorization_key }),
      ...(earlier_authorization_keys !== undefined && { earlier_authorization_keys }),
    }
    if (await store(now, after, services)) return
  }
}

function sendKey(
  principal: Principal,
  chargePointId: string,
  value: string,
  services: Services,
): Promise<RecordedCommand> {
  const payload = { key: 'AuthorizationKey', value }
  return runCommand(
    principal,
    {
      chargePointId,
      command: 'ChangeConfiguration',
      parameters: redactPayload('ChangeConfiguration', payload),
      call: { action: 'ChangeConfiguration', payload },
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
