// Bounds of the area: organizations.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** A quota agreed with an organization. */
  requestsPerHour: 1_000_000_000,
  /** Integration requests of one organization that nobody has looked at. */
  submittedIntegrationRequests: 100,
})
