// Guest sessions as callers see them: without what only the service needs.

import { Type } from 'typebox'
import { balanceView } from '../../../actors/guest-session/balance.js'
import { amountOf, minorUnitsOf } from '../../../pricing/money.js'
import { type GuestSession, guestStatuses, paymentStatuses } from '../../../records/guest-session.js'
import { sessionsTable } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { balanceFields } from '../sessions/guest-payment.js'
import { liveSessionView } from '../sessions/sessions.js'

const fields = {
  session_token: Type.String(),
  charge_point_id: Type.String(),
  connector_id: Type.Integer(),
  status: Type.Enum([...guestStatuses]),
  expires_at: timestamp('The time by which the charge must begin.'),
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
      '`pending` until the provider answers, then `authorized`, or `declined` if the payment was refused; after the end `capture_pending`, ' +
      '`captured` or `failed` if the charge costs something, and `release_pending` and `released` if it does not.',
  }),
  payment_error: nullable(Type.String({ description: 'Why the payment failed, or why it is being tried again.' })),
  currency: Type.String(),
  ...balanceFields,
  session_id: nullable(Type.String()),
  energy_kwh: Type.Number(),
  cost_so_far: Type.Number({ description: 'Including tax.' }),
  final_cost: nullable(Type.Number({ description: 'Including tax. null until the charge has ended.' })),
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
