// Bounds of certificates and of what signs them.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** What a client certificate may be asked for, days. */
    longestValidityDays: 1_095,
    /** How long an authority that the installation makes is good, days. */
    authorityDays: 5_475,
    /** How long a list of revoked certificates is good, days; a new one is signed long before. */
    listDays: 7,
  },
  (bounds) => [
    [bounds.authorityDays > 2 * bounds.longestValidityDays, 'an authority signs for years before another replaces it'],
  ],
)
