// A charge point's password for HTTP Basic authentication (OCPP 1.6 security profiles 1 and 2): created, pushed, deleted.
// Only hashes of it are stored; the key itself leaves once, in the answer that created it.

import { Type } from 'typebox'
import { callErrors, ocppRejected } from '../../../actors/command-router/errors.js'
import { hashAuthorizationKey } from '../../../records/authorization-key.js'
import { conflict } from '../../../runtime/errors.js'
import { openDraft } from '../../pipeline/draft.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import { area, chargePoints } from '../charge-points/area.js'
import { changeChargePoint } from '../charge-points/change-charge-point.js'
import { requireAnswer } from '../commands/run-command.js'
import { noReplacedKeys, pushAuthorizationKey } from './push-authorization-key.js'

const keyBytes = 20

const createAuthorizationKey = area.route({
  method: 'POST',
  path: '/chargepoints/{charge_point_id}/authorization-key',
  operationId: 'createAuthorizationKey',
  requires: [recentSignIn],
  summary: 'Create an authorization key for a charge point',
  description:
    'The key is the password with which the charge point connects (HTTP Basic authentication). It is shown once, in this answer. A connection ' +
    'that was made without it is closed. With `push`, the key is also sent to the charge point; then the connection stays, and the previous key ' +
    'remains valid until the charge point has connected with the new one.',
  of: chargePoints,
  body: Type.Object({
    push: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether the key is also sent to the charge point, which must be connected.',
      }),
    ),
  }),
  bodyOptional: true,
  responses: {
    201: Type.Object({
      charge_point_id: Type.String(),
      authorization_key: Type.String({ description: '20 bytes, in hexadecimal notation.' }),
      pushed: Type.Boolean(),
    }),
  },
  errors: [conflict, ...callErrors, ocppRejected],
  sheddable: 'command',
  secret: true,
  async handle({ row: { charge_point_id }, principal, body }, services) {
    const key = services.randomBytes(keyBytes)
    const answer = { charge_point_id, authorization_key: key.toString('hex') }
    if (body.push !== true) {
      const draft = openDraft(services.view(), services.clock.now())
      const before = chargePoints.own(draft, principal, charge_point_id)
      const authorization_key_changed_at = formatTimestamp(services.clock.now())
      const changed = { ...noReplacedKeys, authorization_key: hashAuthorizationKey(key), authorization_key_changed_at }
      changeChargePoint(draft, before, changed, services)
      return { status: 201, body: { ...answer, pushed: false }, ...draft.close() }
    }
    const recorded = await pushAuthorizationKey(principal, charge_point_id, key, answer.authorization_key, services)
    requireAnswer(recorded)
    if (recorded.record.status !== 'Accepted')
      throw ocppRejected('the charge point refused the key; the previous one remains valid', {
        chargePointId: charge_point_id,
        commandId: recorded.record.command_id,
      })
    return { status: 201, body: { ...answer, pushed: true } }
  },
})

const deleteAuthorizationKey = area.delete('/chargepoints/{charge_point_id}/authorization-key', {
  operationId: 'deleteAuthorizationKey',
  requires: [recentSignIn],
  summary: 'Delete the authorization key of a charge point',
  description: 'From now on, the charge point connects without a password.',
  of: chargePoints,
  answer: null,
  change({ row }, draft, services) {
    changeChargePoint(draft, row, { ...noReplacedKeys, authorization_key: undefined }, services)
    return undefined
  },
})

export const authorizationKeyRoutes = [createAuthorizationKey, deleteAuthorizationKey]
