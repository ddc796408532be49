// Bounds of the area: installers' charge points.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Charge points that no organization has claimed: of one installer, and of all. Anybody can sign up as an installer. */
  unclaimedChargePoints: 200,
  unclaimedInAll: 10_000,
  /** The same of those whose identity is not approved: strangers leave room for the others. */
  unclaimedOfUnverified: 20,
  unclaimedOfAllUnverified: 5_000,
  /** Running sessions of a charge point that are looked at: one for each connector, as a rule. */
  runningSessionsShown: 100,
})
