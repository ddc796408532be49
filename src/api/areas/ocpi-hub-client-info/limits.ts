// Bounds of the area: what hubs say of their parties.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Parties of one hub. */
  ocpiHubParties: 10_000,
})
