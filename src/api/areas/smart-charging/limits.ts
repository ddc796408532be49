// Bounds of the area: smart charging.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  budgetEntries: 100,
  /** Of one answer: a year in buckets of 15 minutes. */
  historyPoints: 36_000,
  priorityEntries: 500,
  /** Of one simulation of the past: its buckets, each with all charge points of the site. */
  simulatedShares: 20_000,
  simulatedBuckets: 3_000,
})
