// The payment of a guest has failed, or is not enough.

import { defineAlertKind } from './define-kind.js'
import { guest_session_id } from './details.js'

interface PaymentFacts {
  readonly guestSessionId: string
  readonly what: string
}

export const guestPayment = defineAlertKind({
  name: 'guest_payment',
  severity: 'warning',
  meaning: 'The payment of a guest session has failed, or does not cover its cost.',
  lasts: false,
  nextStep: 'Settle the payment with the guest, or with your payment provider.',
  details: { guest_session_id },
  find: ({ guestSessionId, what }: PaymentFacts) => ({
    message: what,
    details: { guest_session_id: guestSessionId },
  }),
})
