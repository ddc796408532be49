// Bounds of the area: portal.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** How often a document tries for its organization's next number while others take it. */
  documentNumberAttempts: 100,
})
