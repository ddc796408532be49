// Bounds of the actor: an organization's locations.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Places that are looked at in one turn of a walk over all of them, and the time between two turns. */
  placesPerStep: 25,
  stepMs: 5,
  /** Changes of one place that a look at it answers at once. */
  answeredAtOnce: 1_000,
  /** All of them are looked at anyway so often. */
  walkEveryMs: 24 * 3_600_000,
})
