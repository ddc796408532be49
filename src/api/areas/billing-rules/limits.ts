// Bounds of the area: billing rules.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Billing rules of one organization: all that are active run for each of its sessions. */
  billingRules: 200,
  ruleConditions: 20,
  ruleActions: 20,
  /** Values of one `in` or `not_in`. */
  conditionValues: 200,
  /** Ended sessions that one simulation of billing rules reads; after them it is cut, and says where it goes on. */
  simulatedSessions: 10_000,
  /** Sessions that a simulation prices before it lets other requests go on. */
  simulatedSessionsPerStep: 25,
})
