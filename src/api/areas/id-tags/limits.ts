// Bounds of the area: id tags.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Registered id tags of one organization. */
  idTags: 500_000,
})
