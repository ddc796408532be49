// Bounds of the area: conformance.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Models that are passed over in one go. */
    modelsPerStep: 200,
    /** Models that are counted for the total of a list; a page beyond them counts those before it. */
    modelsCounted: 2_000,
    /** Deviations of one model among which the most frequent are looked for, and how many of them a list has. */
    kindsOfGroup: 200,
    deviationsOfGroup: 100,
    /** Days whose messages are counted of a charge point that breaks no rule. */
    daysOfMessages: 30,
  },
  (bounds) => [[bounds.deviationsOfGroup <= bounds.kindsOfGroup, 'what is listed was found']],
)
