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
  /** What is asked of sites at a time, on each front; of all organizations, and of one. */
  questions: 1_000,
  questionsOfOrganization: 4,
  waitingQuestions: 2_000,
  waitingQuestionsOfOrganization: 100,
})
