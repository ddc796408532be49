// Bounds of requests to a payment provider.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  paymentWithinMs: 60_000,
})
