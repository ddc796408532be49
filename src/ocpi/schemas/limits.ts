// Bounds of what a partner may say of itself.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Versions that it offers, and addresses of its modules. */
  ocpiVersions: 100,
  ocpiEndpoints: 100,
  /** Its roles: each is looked for among those of others. */
  ocpiRoles: 500,
})
