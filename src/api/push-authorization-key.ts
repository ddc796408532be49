// Sends a charge point its new password by ChangeConfiguration (security whitepaper, A01). From before it is sent until the charge
// point has logged in with it, the old one is good too; where the charge point surely goes on with the old one, nothing has changed.

import { hashAuthorizationKey } from '../actors/records/authorization-key.js'
import type { ChargePoint } from '../actors/records/charge-point.js'
import { AmpshardError } from '../runtime/errors.js'
import { changeChargePoint } from './change-charge-point.js'
import { isOnline, stateOf } from './charge-points.js'
import type { Principal } from './principal.js'
import { redactPayload } from './redact.js'
import { defaultTimeoutSeconds, type RecordedCommand, runCommand } from './run-command.js'
import type { Services } from './services.js'

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
  throw new AmpshardError('validation_error', `${detail.path} ${detail.message}`, { details: [detail] })
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
  if (!isOnline(stateOf(services.view(), before), services.run)) return send()
  const { authorization_key: old, previous_authorization_key, ...rest } = before
  const both: ChargePoint = {
    ...rest,
    authorization_key: hashAuthorizationKey(key),
    ...(old !== undefined && { previous_authorization_key: old }),
  }
  const stored = await store(before, both, services)
  let recorded: RecordedCommand
  try {
    recorded = await send()
  } catch (error) {
    // The command was refused before anything was sent.
    if (error instanceof AmpshardError && error.code === 'rate_limited') await store(stored, before, services)
    throw error
  }
  if (wasNotTaken(recorded)) await store(stored, before, services)
  return recorded
}

/** Commits the change for itself: the charge point must not hear of a key that a crash would forget. */
async function store(before: ChargePoint, after: ChargePoint, services: Services): Promise<ChargePoint> {
  const { stored, changes = [], conditions = [], tell = [] } = changeChargePoint(before, after, services)
  const result = await services.commit(
    changes,
    conditions.map(({ condition }) => condition),
  )
  if (!result.ok) {
    if (result.reason === 'condition_failed')
      throw new AmpshardError('conflict', 'somebody else changed the charge point at the same time; try again')
    throw new AmpshardError('storage_unavailable', 'the store cannot take writes now; try again later')
  }
  for (const { to, message } of tell) services.tell(to, message)
  return stored
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
