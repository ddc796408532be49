// The start of a guest session: a claim of the connector, an authorized payment, and a charge that the charge point has accepted.

import { Type } from 'typebox'
import { callErrors, chargePointOffline, ocppRejected } from '../../../actors/command-router/errors.js'
import type { AuthorizeGuestMessage } from '../../../actors/guest-session/messages.js'
import { minorUnitsOf } from '../../../pricing/money.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { guestTag } from '../../../records/guest-session.js'
import { isOnline } from '../../../records/presence.js'
import { sellingTariff } from '../../../records/selling-tariff.js'
import { notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { chargePointId, connectorId, secret } from '../../pipeline/schemas.js'
import { principalName } from '../../surfaces/principal.js'
import { chargePoints } from '../charge-points/area.js'
import { requireConnector, stateOf } from '../charge-points/charge-points.js'
import { area, tokenHash } from './area.js'
import { askGuest, throwUnaccepted } from './ask-guest.js'
import { connectorInUse, noTariff, paymentDeclined, paymentUnavailable } from './errors.js'
import { claimConnector } from './guest-connectors.js'
import { authorizedSchema, authorizedView } from './guest-sessions.js'
import { limits } from './limits.js'

/** The provider's answer, the charge point's, and what it takes to store both. */
const authorizedWithinMs = 90_000
const tokenBytes = 16

/** In the currency in which the charge point sells. Throws `no_tariff`. */
function preauthorisation(
  view: ReadView,
  { organization_id, charge_point_id }: ChargePoint,
  units: number,
): { readonly currency: string; readonly amountMinor: number } {
  const selling = sellingTariff(view, organization_id, charge_point_id)
  if (selling === undefined)
    throw noTariff('the charge point has no tariff, so a guest cannot be charged', { chargePointId: charge_point_id })
  const { currency } = selling.tariff
  const minorUnits = minorUnitsOf(currency)
  // 50 are a fair amount in euros and in dinars, and a coin in yen.
  return { currency, amountMinor: units * (minorUnits === 0 ? 100 : 10 ** minorUnits) }
}

const authorizeGuest = area.route({
  method: 'POST',
  path: '/authorize',
  operationId: 'authorizeGuestSession',
  summary: 'Authorize a payment and start a charge for a guest',
  description:
    'The payment provider authorizes the amount; the service then sends RemoteStartTransaction to the charge point, with an id tag that ' +
    'is made for this charge alone. The guest has 15 minutes to plug in. If the guest does not, or if the charge point does not accept ' +
    'the command, the authorized amount is released. A connector takes one guest at a time, and none while a session is running on it ' +
    'or while it is reserved. If it is reserved before the guest plugs in, the start is answered `Invalid` and the amount is released. ' +
    'The `session_token` is shown only in this answer.',
  body: Type.Object({
    charge_point_id: chargePointId(),
    connector_id: connectorId(1),
    payment_method_id: Type.String({
      ...secret,
      minLength: 1,
      maxLength: limits.paymentMethodCharacters,
      description: "The payment provider's token for the payment method; never a card number.",
    }),
  }),
  responses: { 201: authorizedSchema },
  errors: [notFound, noTariff, connectorInUse, paymentDeclined, paymentUnavailable, ...callErrors, ocppRejected],
  sheddable: 'command',
  secret: true,
  examples: { sandbox: { charge_point_id: 'CP-1', connector_id: 1, payment_method_id: 'pm_card_ok' } },
  async handle({ principal, body }, services) {
    const view = services.view()
    const chargePoint = chargePoints.own(view, principal, body.charge_point_id)
    const { charge_point_id, organization_id } = chargePoint
    const { connector_id } = body
    requireConnector(view, chargePoint, connector_id)
    // Before anybody's money is touched.
    if (!isOnline(stateOf(view, chargePoint), services.presence.live))
      throw chargePointOffline('the charge point is not connected', { chargePointId: charge_point_id })
    const guestSessionId = services.newId('gse')
    const amount = preauthorisation(view, chargePoint, services.config.guestPreauthorisationAmount)
    await claimConnector({ organization_id, charge_point_id, connector_id }, guestSessionId, services)
    const token = `gst_${services.randomBytes(tokenBytes).toString('base64url')}`
    const message: AuthorizeGuestMessage = {
      type: 'authorize',
      session: {
        token_hash: tokenHash(token),
        organization_id,
        charge_point_id,
        connector_id,
        id_tag: guestTag(services.randomBytes(32)),
        created_by: principalName(principal),
      },
      paymentMethod: body.payment_method_id,
      ...amount,
    }
    const then = 'what was authorized for it is released'
    const reply = await askGuest({ guestSessionId, message, withinMs: authorizedWithinMs, then }, services)
    switch (reply.type) {
      case 'guest':
        return { status: 201, body: authorizedView(token, reply.session) }
      case 'declined':
        throw paymentDeclined(`the payment was declined: ${reply.reason}`)
      case 'provider-unavailable':
        throw paymentUnavailable('the payment provider did not answer; nothing was charged')
      case 'not-accepted':
        return throwUnaccepted(reply.reply, charge_point_id)
    }
  },
})

export const authorizeGuestRoutes = [authorizeGuest]
