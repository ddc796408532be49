// A charge point's password for HTTP Basic authentication (OCPP 1.6 security profiles 1 and 2): made, pushed, removed.
// Only hashes of it are stored; the key itself leaves once, in the answer that made it.

import { Type } from 'typebox'
import { hashAuthorizationKey } from '../../actors/records/authorization-key.js'
import type { ChargePoint } from '../../actors/records/charge-point.js'
import { AmpshardError } from '../../runtime/errors.js'
import { isOnline, ownChargePoint, stateOf } from '../charge-points.js'
import type { Principal } from '../principal.js'
import { redactPayload } from '../redact.js'
import { defineRoute } from '../route.js'
import { defaultTimeoutSeconds, requireAnswer, runCommand } from '../run-command.js'
import { chargePointParams } from '../schemas.js'
import type { Services } from '../services.js'
import { changeChargePoint } from './charge-points.js'

const keyBytes = 20

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

/** Sends the key by ChangeConfiguration; throws when the charge point did not take it. */
async function push(principal: Principal, { charge_point_id }: ChargePoint, key: string, services: Services) {
  const payload = { key: 'AuthorizationKey', value: key }
  const recorded = await runCommand(
    principal,
    {
      chargePointId: charge_point_id,
      command: 'ChangeConfiguration',
      parameters: redactPayload('ChangeConfiguration', payload),
      call: { action: 'ChangeConfiguration', payload },
      timeoutMs: defaultTimeoutSeconds * 1_000,
    },
    services,
  )
  requireAnswer(recorded)
  if (recorded.record.status === 'Accepted') return
  throw new AmpshardError('ocpp_rejected', 'the charge point refused the key; the old one stays', {
    chargePointId: charge_point_id,
    commandId: recorded.record.command_id,
  })
}

const createAuthorizationKey = defineRoute({
  method: 'POST',
  path: '/api/v1/chargepoints/{charge_point_id}/authorization-key',
  operationId: 'createAuthorizationKey',
  summary: "Make a new password for a charge point's connection",
  description:
    'The key is shown once. With `push` it is also sent to the charge point, and the old key stays good until the charge point has logged in with the new one.',
  tags: ['Charge points'],
  credential: 'api_key',
  scopes: ['write:charge_points'],
  params: chargePointParams,
  body: Type.Object({ push: Type.Optional(Type.Boolean({ default: false })) }),
  bodyOptional: true,
  responses: {
    201: Type.Object({
      charge_point_id: Type.String(),
      authorization_key: Type.String({ description: '20 bytes, in hex' }),
      pushed: Type.Boolean(),
    }),
  },
  errors: ['not_found', 'conflict', 'charge_point_offline', 'ocpp_rejected', 'ocpp_error', 'timeout', 'rate_limited'],
  sheddable: 'command',
  secret: true,
  async handle({ principal, params, body }, services) {
    const view = services.view()
    const chargePoint = ownChargePoint(view, principal, params.charge_point_id)
    const { charge_point_id: chargePointId, authorization_key, previous_authorization_key, ...rest } = chargePoint
    const key = services.randomBytes(keyBytes)
    const fresh: ChargePoint = { ...rest, charge_point_id: chargePointId, authorization_key: hashAuthorizationKey(key) }
    const answer = { charge_point_id: chargePointId, authorization_key: key.toString('hex') }
    if (body.push !== true) {
      const { stored, ...changed } = changeChargePoint(chargePoint, fresh, services)
      return { status: 201, body: { ...answer, pushed: false }, ...changed }
    }
    if (!isOnline(stateOf(view, chargePoint), services.run))
      throw new AmpshardError('charge_point_offline', 'the charge point is not connected', { chargePointId })
    const old = authorization_key === undefined ? {} : { previous_authorization_key: authorization_key }
    const stored = await store(chargePoint, { ...fresh, ...old }, services)
    try {
      await push(principal, stored, answer.authorization_key, services)
    } catch (error) {
      if (wasNotTaken(error)) await store(stored, chargePoint, services)
      throw error
    }
    return { status: 201, body: { ...answer, pushed: true } }
  },
})

/** Whether the charge point surely goes on with its old key; without an answer, both stay good. */
function wasNotTaken(error: unknown): boolean {
  return error instanceof AmpshardError && ['ocpp_rejected', 'ocpp_error', 'rate_limited'].includes(error.code)
}

const deleteAuthorizationKey = defineRoute({
  method: 'DELETE',
  path: '/api/v1/chargepoints/{charge_point_id}/authorization-key',
  operationId: 'deleteAuthorizationKey',
  summary: "Remove the password of a charge point's connection",
  tags: ['Charge points'],
  credential: 'api_key',
  scopes: ['write:charge_points'],
  params: chargePointParams,
  responses: { 204: null },
  errors: ['not_found', 'conflict'],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const chargePoint = ownChargePoint(services.view(), principal, params.charge_point_id)
    const { authorization_key, previous_authorization_key, ...open } = chargePoint
    const { stored, ...changed } = changeChargePoint(chargePoint, open, services)
    return { status: 204, ...changed }
  },
})

export const authorizationKeyRoutes = [createAuthorizationKey, deleteAuthorizationKey]
