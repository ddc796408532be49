// Bounds of the area: installers' charge points.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Charge points of one installer that no organization has claimed. */
  unclaimedChargePoints: 1_000,
  /** Running sessions of a charge point that are looked at: one for each connector, as a rule. */
  runningSessionsShown: 100,
})
