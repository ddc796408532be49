// Bounds of the area: conformance.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Models that are passed over in one go. */
  modelsPerStep: 200,
})
