// Guest sessions: charges for whoever has no account, paid for with a tokenised payment method. The token that a guest gets is all that it
// takes to see and stop the charge.

import { sessionNotPriced } from '../../../actors/charge-point/errors.js'
import { callErrors, ocppRejected } from '../../../actors/command-router/errors.js'
import { sessionsTable } from '../../../records/session.js'
import { conflict, overloaded } from '../../../runtime/errors.js'
import { renderReceipt } from '../portal/receipts.js'
import { sessionNotEnded } from '../sessions/errors.js'
import { area, guestSessions } from './area.js'
import { askGuest, throwUnaccepted } from './ask-guest.js'
import { guestSchema, guestView } from './guest-sessions.js'

const stoppedWithinMs = 40_000

const guestStatus = area.get('/{session_token}/status', {
  operationId: 'getGuestSession',
  summary: 'Get a guest session',
  of: guestSessions,
  answer: guestSchema,
  read: ({ row, params }, services) => guestView(services.view(), params.session_token, row, services.clock.now()),
})

const stopGuest = area.route({
  method: 'POST',
  path: '/{session_token}/stop',
  operationId: 'stopGuestSession',
  summary: "Stop a guest's charge and settle the payment",
  description:
    'Sends RemoteStopTransaction, and waits until the charge point has ended the charge and the payment is settled. If that takes too ' +
    'long, returns the session as it is by then: get the session later to see how it ended. If the session has already ended, returns it ' +
    'as it ended.',
  of: guestSessions,
  responses: { 200: guestSchema },
  errors: [...callErrors, ocppRejected, overloaded],
  // The answer repeats the token.
  secret: true,
  async handle({ row, params: { session_token: token } }, services) {
    const { guest_session_id: guestSessionId, charge_point_id } = row
    const then = 'the status of the session shows whether it has been stopped'
    const message = { type: 'stop' } as const
    const reply = await askGuest({ guestSessionId, message, withinMs: stoppedWithinMs, then }, services)
    if (reply.type === 'not-accepted') return throwUnaccepted(reply.reply, charge_point_id)
    const session = reply.type === 'guest' ? reply.session : row
    return { status: 200, body: guestView(services.view(), token, session, services.clock.now()) }
  },
})

const guestReceipt = area.route({
  method: 'GET',
  path: '/{session_token}/receipt',
  operationId: 'getGuestReceipt',
  summary: "Get the receipt of a guest's charge as a PDF",
  of: guestSessions,
  responses: { 200: 'application/pdf' },
  errors: [conflict, sessionNotEnded, sessionNotPriced, overloaded],
  handle({ row }, services) {
    if (row.status !== 'stopped') throw sessionNotEnded('the charge has not ended yet')
    const session = row.session_id === undefined ? undefined : services.view().get(sessionsTable, [row.session_id])
    if (session === undefined) throw conflict('there is no receipt, because nothing was charged')
    return renderReceipt(session, services)
  },
})

export const guestSessionRoutes = [guestStatus, stopGuest, guestReceipt]
