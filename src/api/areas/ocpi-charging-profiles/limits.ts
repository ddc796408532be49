// Bounds of the area: charging profiles of roaming partners.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Within it the result of an accepted request is posted. */
    ocpiProfileTimeoutSeconds: 30,
    /** How long the charge point has to answer, and the site. */
    ocpiProfileCallTimeoutMs: 20_000,
    ocpiProfileSiteMs: 5_000,
    /** So many requests for one session are accepted in so much time. */
    ocpiProfileRequests: 10,
    ocpiProfileRequestsMs: 60_000,
    /** Periods of a profile. */
    ocpiProfilePeriods: 100,
    /** How far ahead a partner can ask for what is in force. */
    ocpiProfileAheadSeconds: 24 * 3_600,
  },
  (bounds) => [
    [
      Math.max(bounds.ocpiProfileCallTimeoutMs, bounds.ocpiProfileSiteMs) < bounds.ocpiProfileTimeoutSeconds * 1_000,
      'a result is posted in the time that was said',
    ],
  ],
)
