// The close of a session that nobody else ends: its charge point is gone, away for good, or has forgotten it.

import { Type } from 'typebox'
import { type CloseSessionReply, chargePointAddress } from '../../../actors/charge-point/messages.js'
import { stopReason } from '../../../ocpp16/index.js'
import { sessionsTable } from '../../../records/session.js'
import { type AmpshardError, notFound, overloaded } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { defineRoute } from '../../pipeline/route.js'
import { operator } from '../../surfaces/operator.js'
import { sessionEnded } from './errors.js'
import { sessionSchema, sessionView } from './sessions.js'

const noSuchSession = (): AmpshardError => notFound('there is no such session')

const closeSession = defineRoute({
  method: 'POST',
  path: '/api/v1/sessions/{session_id}/close',
  operationId: 'closeSession',
  summary: 'Close a running session by estimate',
  description:
    'Ends a session that its charge point will not end, at the last register that was metered, and prices it. The charge point is not ' +
    'asked and may be offline or removed; to stop a charge that is really running, send RemoteStopTransaction instead. A ' +
    'StopTransaction that arrives later corrects the session. A session that has ended is 409 `session_ended`; repeating the request changes nothing.',
  tags: ['Sessions'],
  surface: operator,
  scopes: ['write:sessions'],
  params: Type.Object({ session_id: Type.String({ maxLength: 64 }) }),
  body: Type.Object({
    reason: Type.Unsafe<string>({ ...stopReason, default: 'Other', description: 'the stop reason (OCPP 1.6, 7.36)' }),
  }),
  bodyOptional: true,
  responses: { 200: sessionSchema },
  errors: [notFound, sessionEnded, overloaded],
  sheddable: 'never',
  examples: { close: {}, reason: { reason: 'PowerLoss' } },
  async handle({ principal, params, body }, services) {
    const session = services.view().get(sessionsTable, [params.session_id])
    if (session?.organization_id !== principal.organization.organization_id) throw noSuchSession()
    const { session_id: sessionId, charge_point_id } = session
    const message = { type: 'close-session', sessionId, reason: body.reason }
    const reply = (await askActor(services, chargePointAddress(charge_point_id), message)) as CloseSessionReply
    if (reply.type === 'unknown') throw noSuchSession()
    if (reply.type === 'ended') throw sessionEnded(`the session has ended already, as ${reply.status}`)
    return { status: 200, body: sessionView(services.view(), reply.session, services.clock.now()) }
  },
})

export const closeSessionRoutes = [closeSession]
