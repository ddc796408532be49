// Bounds of the area: smart charging.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  budgetEntries: 100,
  /** Of one answer: a year in buckets of 15 minutes. */
  historyPoints: 36_000,
  priorityEntries: 500,
})
