// Bounds of the area: configuration.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Templates of one organization: all are looked at when one is looked for. */
  templates: 100,
  /** Keys of a template, and keys that are overridden at one charge point, with what they take as JSON. */
  parameters: 200,
  parametersCharacters: 16_384,
})
