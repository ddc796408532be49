// Bounds of the area: commands.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Charge points of one bulk command. */
  bulkTargets: 100,
  /** How often a front tries to have interrupted commands recorded, while shards end. */
  recordAttempts: 3,
})
