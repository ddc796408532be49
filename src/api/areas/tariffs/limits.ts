// Bounds of the area: tariffs.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Tariffs of one organization. */
  tariffs: 2_000,
  /** Rate bands of one tariff. */
  rateBands: 50,
  /** Entries of one tariff's schedule. */
  scheduleEntries: 200,
})
