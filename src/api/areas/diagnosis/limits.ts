// Bounds of the area: diagnosis.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** How long before the noted end of a connection its charge point may have come back, and been refused: the end is noted once it is noticed. */
  endNoticedWithinMs: 30_000,
  /** Charge points of a fleet that is read to see what one was lost with, where nobody has it before them. */
  fleetRead: 1_000,
  /** Ids like that of a charge point whose attempts are looked at. */
  likeIds: 20,
  /** The newest attempts under one id, or from one address, that are looked at. */
  attemptsOfOne: 100,
  /** Addresses whose attempts are looked at. */
  addresses: 5,
  /** Registered ids like that of an attempt, beyond which it is taken as another's. */
  likeChargePoints: 200,
  /** Registered charge points with nearly the id that a diagnosis is about. */
  nearChargePoints: 3,
  /** Lines of an answer: attempts that are alike are one. */
  lines: 20,
  /** Attempts that a diagnosis lists. */
  lastAttempts: 20,
  /** Charge points beside one that a diagnosis lists, and those of its place among which they are looked for. */
  neighbours: 10,
  neighboursLookedAt: 200,
  /** Entries of the audit log that are looked at for a probable cause. */
  auditEntries: 200,
  /** Refused charge points of a page. */
  refused: 200,
})
