// Bounds of the area: locations of OCPI.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Of as many that have changed since a date, a page is read from those alone; of more, it is looked for among all. */
  changedLocations: 2_000,
})
