// Bounds of the area: accounts of installers.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  installers: 100_000,
  /** Who have signed up and not confirmed their address. */
  pendingInstallers: 20_000,
  /** Of one account. */
  familiarNetworks: 20,
  passwordCharacters: 200,
  leastPasswordCharacters: 10,
})
