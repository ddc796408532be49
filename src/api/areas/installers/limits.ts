// Bounds of the area: installers as the operator of the installation sees them.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Unclaimed charge points that are looked at together. */
  unclaimedAtOnce: 50,
  unclaimedSweepMs: 5_000,
  /** A charge point that nobody has claimed and that was not connected for so long is removed. */
  unclaimedAwayMs: 30 * 24 * 3_600_000,
})
