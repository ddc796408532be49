// Bounds of the area: disputes.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** What a session is expected, or is to cost, with tax, in units of its currency. */
  disputedAmount: 1_000_000_000,
})
