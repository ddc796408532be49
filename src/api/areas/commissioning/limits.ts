// Bounds of the area: commissioning.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Files of the installation with a template, and the size of one. */
  templateFiles: 100,
  templateFileBytes: 65_536,
  /** Models that one is for. */
  compatibleModels: 100,
})
