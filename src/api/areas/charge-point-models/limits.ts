// Bounds of the area: models of charge points.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Models whose traits an organization has corrected. */
  correctedModels: 1_000,
  /** Models that are passed over in one go. */
  learnedModelsPerStep: 50,
})
