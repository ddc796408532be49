// Bounds of the area: accounts of installers.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  installers: 100_000,
  passwordCharacters: 200,
  leastPasswordCharacters: 10,
})
