// Bounds of the area: invoices.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Days of one revenue report. */
  revenueDays: 366,
})
