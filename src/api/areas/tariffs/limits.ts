// Bounds of the area: tariffs.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Rate bands of one tariff. */
  rateBands: 50,
  /** Entries of one tariff's schedule. */
  scheduleEntries: 200,
})
