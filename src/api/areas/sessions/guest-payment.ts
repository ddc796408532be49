// The payment of a session that a guest has charged, as it is shown with the session.

import { Type } from 'typebox'
import { guestOf } from '../../../actors/charge-point/guests.js'
import { balanceView } from '../../../actors/guest-session/balance.js'
import { type GuestSession, paymentStatuses } from '../../../records/guest-session.js'
import type { Session } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { nullable } from '../../pipeline/schemas.js'

export const balanceFields = {
  authorized_amount: Type.Number({ description: 'The amount that was authorized on the payment method.' }),
  captured_amount: nullable(
    Type.Number({ description: 'At most the authorized amount. null while nothing has been captured.' }),
  ),
  refunded_amount: Type.Number({ description: 'The amount that was refunded after a correction of the cost.' }),
  refund_pending_amount: Type.Number({
    description: 'The amount whose refund has been requested from the payment provider.',
  }),
  owed_amount: Type.Number({
    description: 'The amount that was paid beyond the corrected cost and that the payment provider refused to refund.',
  }),
  written_off_amount: nullable(
    Type.Number({
      description: 'The part of the cost that is unpaid and will not be collected. null until the payment is settled.',
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
  { description: 'The payment of the guest. null if no guest charged in this session.' },
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
