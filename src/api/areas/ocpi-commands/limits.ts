// Bounds of the area: commands of roaming partners.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Within it the result of an accepted command is posted. */
    ocpiCommandTimeoutSeconds: 30,
    /** How long the charge point has to answer. */
    ocpiCallTimeoutMs: 20_000,
    /** A command that comes again within it is the same one. */
    ocpiRepeatMs: 120_000,
  },
  (bounds) => [
    [
      bounds.ocpiCallTimeoutMs < bounds.ocpiCommandTimeoutSeconds * 1_000,
      'a result is posted in the time that was said',
    ],
    [bounds.ocpiCommandTimeoutSeconds * 1_000 < bounds.ocpiRepeatMs, 'a repeat is known as long as a result may come'],
  ],
)
