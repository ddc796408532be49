// Bounds of the area: roaming locations.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Of each list among the details of a place. */
  listedDetails: 50,
  /** Connectors of a charge point that details are kept of. */
  describedConnectors: 100,
})
