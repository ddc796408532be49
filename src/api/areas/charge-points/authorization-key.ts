// A charge point's password for HTTP Basic authentication (OCPP 1.6 security profiles 1 and 2): made, pushed, removed.
// Only hashes of it are stored; the key itself leaves once, in the answer that made it.

import { Type } from 'typebox'
import { callErrors, ocppRejected } from '../../../actors/command-router/errors.js'
import { hashAuthorizationKey } from '../../../records/authorization-key.js'
import { type ChargePoint, withoutReplacedKeys } from '../../../records/charge-point.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { defineRoute } from '../../pipeline/route.js'
import { chargePointParams } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'
import { requireAnswer } from '../commands/run-command.js'
import { changeChargePoint } from './change-charge-point.js'
import { ownChargePoint } from './charge-points.js'
import { pushAuthorizationKey } from './push-authorization-key.js'

const keyBytes = 20

const createAuthorizationKey = defineRoute({
  method: 'POST',
  path: '/api/v1/chargepoints/{charge_point_id}/authorization-key',
  operationId: 'createAuthorizationKey',
  summary: "Make a new password for a charge point's connection",
  description:
    'The key is shown once. With `push` it is also sent to the charge point, and the old key stays good until the charge point has logged in with the new one.',
  tags: ['Charge points'],
  surface: operator,
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
  errors: [notFound, conflict, ...callErrors, ocppRejected],
  sheddable: 'command',
  secret: true,
  async handle({ principal, params, body }, services) {
    const view = services.view()
    const chargePoint = ownChargePoint(view, principal, params.charge_point_id)
    const { charge_point_id: chargePointId } = chargePoint
    const key = services.randomBytes(keyBytes)
    const fresh: ChargePoint = { ...withoutReplacedKeys(chargePoint), authorization_key: hashAuthorizationKey(key) }
    const answer = { charge_point_id: chargePointId, authorization_key: key.toString('hex') }
    if (body.push !== true) {
      const { stored, ...changed } = changeChargePoint(chargePoint, fresh, services)
      return { status: 201, body: { ...answer, pushed: false }, ...changed }
    }
    const recorded = await pushAuthorizationKey(principal, chargePoint, key, answer.authorization_key, services)
    requireAnswer(recorded)
    if (recorded.record.status !== 'Accepted')
      throw ocppRejected('the charge point refused the key; the old one stays', {
        chargePointId,
        commandId: recorded.record.command_id,
      })
    return { status: 201, body: { ...answer, pushed: true } }
  },
})

const deleteAuthorizationKey = defineRoute({
  method: 'DELETE',
  path: '/api/v1/chargepoints/{charge_point_id}/authorization-key',
  operationId: 'deleteAuthorizationKey',
  summary: "Remove the password of a charge point's connection",
  tags: ['Charge points'],
  surface: operator,
  scopes: ['write:charge_points'],
  params: chargePointParams,
  responses: { 204: null },
  errors: [notFound, conflict],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const chargePoint = ownChargePoint(services.view(), principal, params.charge_point_id)
    const { authorization_key: _, ...open } = withoutReplacedKeys(chargePoint)
    const { stored, ...changed } = changeChargePoint(chargePoint, open, services)
    return { status: 204, ...changed }
  },
})

export const authorizationKeyRoutes = [createAuthorizationKey, deleteAuthorizationKey]
