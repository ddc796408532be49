// Bounds of the area: commissioning.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Models that a template is for. */
  compatibleModels: 100,
})
