// The payment of a session that a guest has charged, as it is shown with the session.

import { Type } from 'typebox'
import { guestOf } from '../../../actors/charge-point/guests.js'
import { balanceView } from '../../../actors/guest-session/balance.js'
import { type GuestSession, paymentStatuses } from '../../../records/guest-session.js'
import type { Session } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { nullable } from '../../pipeline/schemas.js'

export const balanceFields = {
  authorized_amount: Type.Number({ description: 'what is set aside on the payment method' }),
  captured_amount: nullable(Type.Number({ description: 'never more than what was authorized' })),
  refunded_amount: Type.Number({ description: 'what was given back after the cost had been corrected' }),
  refund_pending_amount: Type.Number({ description: 'what the provider is being asked to give back' }),
  owed_amount: Type.Number({
    description: 'what was paid beyond the corrected cost and the provider refused to give back',
  }),
  written_off_amount: nullable(
    Type.Number({
      description: 'what of the cost is not paid and will not be collected; null until the payment is settled',
    }),
  ),
}

export const guestPaymentSchema = Type.Object(
  {
    guest_session_id: Type.String(),
    status: Type.Enum([...paymentStatuses]),
    currency: Type.String(),
    ...balanceFields,
  },
  { description: "a guest's payment; null for a session that was charged with a tag" },
)

/** Undefined where nobody has charged as a guest. */
export function guestOfSession(view: ReadView, session: Session): GuestSession | undefined {
  const guest = guestOf(view, session.organization_id, session.id_tag)
  return guest?.session_id === session.session_id ? guest : undefined
}

export function guestPaymentView(view: ReadView, session: Session) {
  const guest = guestOfSession(view, session)
  if (guest === undefined) return null
  const { guest_session_id, payment } = guest
  return { guest_session_id, status: payment.status, currency: payment.currency, ...balanceView(guest) }
}
