// Bounds of the actor: guest session.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** How long a payment provider is asked to capture or release before it is taken for failed. */
  paymentRetriesMs: 604_800_000,
  /** Requests that wait for one guest session's charge to end. */
  guestStopWaiters: 16,
  /** Refunds of one guest session; what is corrected after that is given back by hand. */
  guestRefunds: 50,
})
