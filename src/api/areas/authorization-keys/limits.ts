// Bounds of the area: authorization keys.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Keys of a charge point, beside the last two, that it may still have because it has answered no push of another. */
  earlierAuthorizationKeys: 8,
})
