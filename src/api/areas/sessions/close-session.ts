// The close of a session that nobody else ends: its charge point is gone, away for good, or has forgotten it.

import { Type } from 'typebox'
import { type CloseSessionReply, chargePointAddress } from '../../../actors/charge-point/messages.js'
import { stopReason } from '../../../ocpp16/index.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { area, sessions } from './area.js'
import { sessionEnded } from './errors.js'
import { sessionSchema, sessionView } from './sessions.js'

const closeSession = area.route({
  method: 'POST',
  path: '/{session_id}/close',
  operationId: 'closeSession',
  summary: 'Close a running session by estimate',
  description:
    'Ends a session that its charge point will not end, at the last meter reading, and prices it. The service sends nothing to the charge ' +
    'point, which may be offline or deleted; to stop a charge that is really running, send RemoteStopTransaction instead. If a ' +
    'StopTransaction arrives later, it corrects the session. If the session has already ended, returns 409 `session_ended`: repeating ' +
    'the request changes nothing.',
  of: sessions,
  body: Type.Object({
    reason: Type.Unsafe<string>({ ...stopReason, default: 'Other', description: 'The stop reason (OCPP 1.6, 7.36).' }),
  }),
  bodyOptional: true,
  responses: { 200: sessionSchema },
  errors: [sessionEnded, overloaded],
  examples: { close: {}, reason: { reason: 'PowerLoss' } },
  async handle({ row: { session_id: sessionId, charge_point_id }, body }, services) {
    const message = { type: 'close-session', sessionId, reason: body.reason }
    const reply = (await askActor(services, chargePointAddress(charge_point_id), message)) as CloseSessionReply
    if (reply.type === 'unknown') throw notFound('there is no such session')
    if (reply.type === 'ended') throw sessionEnded(`the session has already ended, with the status ${reply.status}`)
    return { status: 200, body: sessionView(services.view(), reply.session, services.clock.now()) }
  },
})

export const closeSessionRoutes = [closeSession]
