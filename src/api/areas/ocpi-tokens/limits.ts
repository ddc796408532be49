// Bounds of the area: tokens of OCPI.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Tokens of one partner. */
  ocpiTokens: 5_000_000,
})
