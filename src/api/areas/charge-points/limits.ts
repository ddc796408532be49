// Bounds of the area: charge points.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Charge points that one organization registers. */
  chargePoints: 100_000,
  /** Open issues that the answer of a handover has. */
  openIssuesShown: 20,
})
