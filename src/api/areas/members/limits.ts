// Bounds of the area: members.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Members of one organization. */
  members: 1_000,
})
