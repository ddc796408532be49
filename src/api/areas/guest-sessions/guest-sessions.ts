// Guest sessions as callers see them: found by the guest's token, shown without what only the service needs.

import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { balanceView } from '../../../actors/guest-session/balance.js'
import { amountOf, minorUnitsOf } from '../../../pricing/money.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import {
  type GuestSession,
  guestSessionsTable,
  guestStatuses,
  paymentStatuses,
} from '../../../records/guest-session.js'
import { sellingTariff } from '../../../records/selling-tariff.js'
import { sessionsTable } from '../../../records/session.js'
import { notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Principal } from '../../surfaces/principal.js'
import { balanceFields } from '../sessions/guest-payment.js'
import { liveSessionView } from '../sessions/sessions.js'
import { noTariff } from './errors.js'

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Throws `not_found`, also for a token of another organization. */
export function ownGuestSession(view: ReadView, principal: Principal, token: string): GuestSession {
  const [found] = view.listBy(guestSessionsTable, 'byToken', [tokenHash(token)], { limit: 1 })
  if (found?.organization_id === principal.organization.organization_id) return found
  throw notFound('there is no such guest session')
}

/** In the currency in which the charge point sells. Throws `no_tariff`. */
export function preauthorisation(
  view: ReadView,
  { organization_id, charge_point_id }: ChargePoint,
  units: number,
): { readonly currency: string; readonly amountMinor: number } {
  const selling = sellingTariff(view, organization_id, charge_point_id)
  if (selling === undefined)
    throw noTariff('the charge point has no tariff, so that a guest cannot be charged', {
      chargePointId: charge_point_id,
    })
  const { currency } = selling.tariff
  const minorUnits = minorUnitsOf(currency)
  // 50 are a fair amount in euros and in dinars, and a coin in yen.
  return { currency, amountMinor: units * (minorUnits === 0 ? 100 : 10 ** minorUnits) }
}

const fields = {
  session_token: Type.String(),
  charge_point_id: Type.String(),
  connector_id: Type.Integer(),
  status: Type.Enum([...guestStatuses]),
  expires_at: timestamp('until when the charge may begin'),
}

export const authorizedSchema = named('AuthorizedGuestSession', {
  ...fields,
  payment_status: Type.Enum([...paymentStatuses]),
  currency: Type.String(),
  authorized_amount: balanceFields.authorized_amount,
})

export const guestSchema = named('GuestSession', {
  ...fields,
  payment_status: Type.Enum([...paymentStatuses], {
    description:
      'authorized; then capture_pending, captured or failed for a charge that costs something, release_pending and released for any other',
  }),
  payment_error: nullable(Type.String({ description: 'why the payment failed, or why it is tried again' })),
  currency: Type.String(),
  ...balanceFields,
  session_id: nullable(Type.String()),
  energy_kwh: Type.Number(),
  cost_so_far: Type.Number({ description: 'with tax' }),
  final_cost: nullable(Type.Number({ description: 'null until the charge has ended' })),
  started_at: nullable(timestamp()),
  ended_at: nullable(timestamp()),
  end_reason: nullable(Type.String()),
})

export function authorizedView(token: string, row: GuestSession) {
  const { charge_point_id, connector_id, status, expires_at, payment } = row
  const authorized_amount = amountOf(payment.authorized_minor, minorUnitsOf(payment.currency))
  return {
    session_token: token,
    charge_point_id,
    connector_id,
    status,
    expires_at,
    payment_status: payment.status,
    currency: payment.currency,
    authorized_amount,
  }
}

export function guestView(view: ReadView, token: string, row: GuestSession, now: number) {
  const session = row.session_id === undefined ? undefined : view.get(sessionsTable, [row.session_id])
  const running = session === undefined ? undefined : liveSessionView(view, session, now)
  const { payment } = row
  const currency = row.currency ?? running?.currency ?? payment.currency
  const refundError = payment.refunds?.findLast(({ error }) => error !== undefined)?.error
  return {
    ...authorizedView(token, row),
    ...balanceView(row),
    currency,
    payment_error: payment.error ?? refundError ?? null,
    session_id: row.session_id ?? null,
    energy_kwh: row.energy_wh === undefined ? (running?.energy_kwh ?? 0) : row.energy_wh / 1_000,
    cost_so_far: row.final_cost ?? running?.cost ?? 0,
    final_cost: row.final_cost ?? null,
    started_at: row.started_at ?? null,
    ended_at: row.ended_at ?? null,
    end_reason: row.end ?? null,
  }
}
