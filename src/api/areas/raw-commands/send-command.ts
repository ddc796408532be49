// POST /api/v1/ocpp16/send_command: any call that OCPP 1.6 has the central system make.

import { Type } from 'typebox'
import { getConfiguration } from '../../../ocpp16/index.js'
import { conflict } from '../../../runtime/errors.js'
import { anyObject, chargePointId, nullable } from '../../pipeline/schemas.js'
import { signInAgain } from '../../surfaces/recent-sign-in.js'
import { chargePoints } from '../charge-points/area.js'
import { invalidCommand } from '../commands/errors.js'
import { answerOf } from '../commands/run-command.js'
import { area } from './area.js'
import { checked } from './checked-call.js'
import { rawAnswer, rawErrors, rawScopes, sendRaw } from './send-raw.js'

export const sendCommand = area.route({
  method: 'POST',
  path: '/send_command',
  operationId: 'sendOcppCommand',
  summary: 'Send any OCPP 1.6 action',
  description:
    "An AuthorizationKey that is set by ChangeConfiguration becomes the charge point's password, which takes the scope " +
    '`write:charge_points` and, in the console, a sign-in of the last five minutes; the previous key remains valid until the charge point has ' +
    'connected with the new one.',
  scopes: rawScopes,
  body: Type.Object({
    charge_point_id: chargePointId(),
    command: Type.String({ description: 'The OCPP action, in its exact spelling.' }),
    payload: anyObject("The payload, which is checked against the action's OCPP 1.6 schema."),
  }),
  responses: {
    200: rawAnswer({
      command: Type.String(),
      response: Type.Unknown({ description: 'What the charge point answered; null if it refused or did not answer.' }),
      response_time_ms: nullable(Type.Integer()),
    }),
  },
  errors: [invalidCommand, conflict, signInAgain, ...rawErrors],
  sheddable: 'command',
  examples: {
    request: { charge_point_id: 'CP-1', command: getConfiguration.action, payload: { key: ['HeartbeatInterval'] } },
  },
  async handle({ principal, body: { charge_point_id, command, payload } }, services) {
    const chargePoint = chargePoints.own(services.view(), principal, charge_point_id)
    const call = checked({ action: command, payload }, (path) => `/payload${path}`)
    const { recorded, body } = await sendRaw(principal, chargePoint, call, services)
    const { charge_point_response: response, response_time_ms } = { ...recorded.record, ...answerOf(recorded) }
    return { status: 200, body: { ...body, command, response, response_time_ms } }
  },
})
