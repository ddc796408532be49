// Guest sessions: a charge for whoever has no account, paid for with a tokenised payment method. The token that a guest gets
// is all that it takes to see and stop the charge: it is shown once and stored nowhere.

import { Type } from 'typebox'
import { sessionNotPriced } from '../../../actors/charge-point/errors.js'
import { callErrors, chargePointOffline, ocppRejected } from '../../../actors/command-router/errors.js'
import type { CommandReply } from '../../../actors/command-router/messages.js'
import {
  type AuthorizeGuestMessage,
  type GuestReply,
  type GuestSessionMessage,
  guestSessionAddress,
} from '../../../actors/guest-session/messages.js'
import { guestTag } from '../../../records/guest-session.js'
import { isOnline } from '../../../records/presence.js'
import { sessionsTable } from '../../../records/session.js'
import { conflict, errorKind, notFound, overloaded } from '../../../runtime/errors.js'
import { Interrupted } from '../../../runtime/link/asks.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { defineRoute } from '../../pipeline/route.js'
import { chargePointId, connectorId, secret } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { operator } from '../../surfaces/operator.js'
import { principalName } from '../../surfaces/principal.js'
import { ownChargePoint, requireConnector, stateOf } from '../charge-points/charge-points.js'
import { requireAccepted } from '../commands/run-command.js'
import { renderReceipt } from '../portal/receipts.js'
import { sessionNotEnded } from '../sessions/errors.js'
import { connectorInUse, noTariff, paymentDeclined, paymentUnavailable } from './errors.js'
import { claimConnector } from './guest-connectors.js'
import {
  authorizedSchema,
  authorizedView,
  guestSchema,
  guestView,
  ownGuestSession,
  preauthorisation,
  tokenHash,
} from './guest-sessions.js'
import { limits } from './limits.js'

/** The provider's answer, the charge point's, and what it takes to store both. */
const authorizedWithinMs = 90_000
const stoppedWithinMs = 40_000
const tokenBytes = 16

const tokenParams = Type.Object({ session_token: Type.String({ ...secret, maxLength: 64 }) })

/** `then` says what becomes of a request that is interrupted. */
async function askGuest(
  id: string,
  message: GuestSessionMessage,
  withinMs: number,
  then: string,
  services: Services,
): Promise<GuestReply> {
  return (await askActor(services, guestSessionAddress(id), message, { withinMs, then })) as GuestReply
}

/** Throws what became of a command that the charge point has not accepted. */
function throwUnaccepted(reply: CommandReply | undefined, chargePointId: string): never {
  if (reply?.type === 'recorded') requireAccepted(reply)
  if (reply?.type === 'refused') throw errorKind(reply.code)(reply.message, { chargePointId, retryAfterSeconds: 1 })
  throw overloaded('the command was interrupted; whether it was carried out is not known', {
    chargePointId,
    cause: new Interrupted(),
  })
}

const authorizeGuest = defineRoute({
  method: 'POST',
  path: '/api/v1/sessions/guest/authorize',
  operationId: 'authorizeGuestSession',
  summary: 'Set an amount aside and start a charge for a guest',
  description:
    'The payment provider sets the amount aside, then the charge point is sent RemoteStartTransaction with an id tag made for this charge. The guest has 15 minutes to plug in; otherwise, and where the charge point does not accept, the amount is released. A connector has one guest at a time, and none while a session runs on it or it is reserved. Where it is reserved before the guest plugs in, the start is `Invalid` and the amount is released. The `session_token` is shown in this answer alone.',
  tags: ['Guest sessions'],
  surface: operator,
  scopes: ['write:sessions'],
  body: Type.Object({
    charge_point_id: chargePointId(),
    connector_id: connectorId(1),
    payment_method_id: Type.String({
      ...secret,
      minLength: 1,
      maxLength: limits.paymentMethodCharacters,
      description: "the payment provider's token; never a card number",
    }),
  }),
  responses: { 201: authorizedSchema },
  errors: [notFound, noTariff, connectorInUse, paymentDeclined, paymentUnavailable, ...callErrors, ocppRejected],
  sheddable: 'command',
  secret: true,
  examples: { sandbox: { charge_point_id: 'CP-1', connector_id: 1, payment_method_id: 'pm_card_ok' } },
  async handle({ principal, body }, services) {
    const view = services.view()
    const chargePoint = ownChargePoint(view, principal, body.charge_point_id)
    const { charge_point_id, organization_id } = chargePoint
    requireConnector(view, chargePoint, body.connector_id)
    // Before anybody's money is touched.
    if (!isOnline(stateOf(view, chargePoint), services.presence.live))
      throw chargePointOffline('the charge point is not connected', {
        chargePointId: charge_point_id,
      })
    const guestSessionId = services.newId('gse')
    const setAside = preauthorisation(view, chargePoint, services.config.guestPreauthorisationAmount)
    await claimConnector(
      { organization_id, charge_point_id, connector_id: body.connector_id },
      guestSessionId,
      services,
    )
    const token = `gst_${services.randomBytes(tokenBytes).toString('base64url')}`
    const message: AuthorizeGuestMessage = {
      type: 'authorize',
      session: {
        token_hash: tokenHash(token),
        organization_id,
        charge_point_id,
        connector_id: body.connector_id,
        id_tag: guestTag(services.randomBytes(32)),
        created_by: principalName(principal),
      },
      paymentMethod: body.payment_method_id,
      ...setAside,
    }
    const then = 'what was set aside for it is released'
    const reply = await askGuest(guestSessionId, message, authorizedWithinMs, then, services)
    switch (reply.type) {
      case 'guest':
        return { status: 201, body: authorizedView(token, reply.session) }
      case 'declined':
        throw paymentDeclined(`the payment was declined: ${reply.reason}`)
      case 'provider-unavailable':
        throw paymentUnavailable('the payment provider did not answer; nothing is charged')
      case 'not-accepted':
        return throwUnaccepted(reply.reply, charge_point_id)
    }
  },
})

const guestStatus = defineRoute({
  method: 'GET',
  path: '/api/v1/sessions/guest/{session_token}/status',
  operationId: 'getGuestSession',
  summary: "Read a guest's session",
  tags: ['Guest sessions'],
  surface: operator,
  scopes: ['read:sessions'],
  params: tokenParams,
  responses: { 200: guestSchema },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params: { session_token: token } }, services) {
    const view = services.view()
    const row = ownGuestSession(view, principal, token)
    return { status: 200, body: guestView(view, token, row, services.clock.now()) }
  },
})

const stopGuest = defineRoute({
  method: 'POST',
  path: '/api/v1/sessions/guest/{session_token}/stop',
  operationId: 'stopGuestSession',
  summary: "Stop a guest's charge and settle the payment",
  description:
    'Sends RemoteStopTransaction, and waits for the charge point to end the charge and for the payment. Where that takes longer, the answer is the session as it is then: ask for its status. A session that has ended already is answered as it ended.',
  tags: ['Guest sessions'],
  surface: operator,
  scopes: ['write:sessions'],
  params: tokenParams,
  responses: { 200: guestSchema },
  errors: [notFound, ...callErrors, ocppRejected, overloaded],
  sheddable: 'never',
  // The answer repeats the token.
  secret: true,
  async handle({ principal, params: { session_token: token } }, services) {
    const row = ownGuestSession(services.view(), principal, token)
    const then = 'the status of the session tells whether it is stopped'
    const reply = await askGuest(row.guest_session_id, { type: 'stop' }, stoppedWithinMs, then, services)
    if (reply.type === 'not-accepted') return throwUnaccepted(reply.reply, row.charge_point_id)
    const session = reply.type === 'guest' ? reply.session : row
    return { status: 200, body: guestView(services.view(), token, session, services.clock.now()) }
  },
})

const guestReceipt = defineRoute({
  method: 'GET',
  path: '/api/v1/sessions/guest/{session_token}/receipt',
  operationId: 'getGuestReceipt',
  summary: "The receipt of a guest's charge, as PDF",
  tags: ['Guest sessions'],
  surface: operator,
  scopes: ['read:sessions'],
  params: tokenParams,
  responses: { 200: 'application/pdf' },
  errors: [notFound, conflict, sessionNotEnded, sessionNotPriced, overloaded],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const row = ownGuestSession(view, principal, params.session_token)
    if (row.status !== 'stopped') throw sessionNotEnded('the charge has not ended yet')
    const session = row.session_id === undefined ? undefined : view.get(sessionsTable, [row.session_id])
    if (session === undefined) throw conflict('nothing was charged')
    return renderReceipt(session, services)
  },
})

export const guestSessionRoutes = [authorizeGuest, guestStatus, stopGuest, guestReceipt]
