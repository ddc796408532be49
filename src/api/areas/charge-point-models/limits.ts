// Bounds of the area: models of charge points.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Models whose traits an organization has corrected. */
  correctedModels: 1_000,
  /** Models that are passed over in one go. */
  learnedModelsPerStep: 200,
  /** Models of an organization among which one is looked for by its id, where nothing was learned of it. */
  ownModels: 1_000,
})
