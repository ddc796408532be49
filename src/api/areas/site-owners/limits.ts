// Bounds of the area: site owners.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Site owners of one organization. */
  siteOwners: 10_000,
  projectsPerSiteOwner: 100,
  documentsPerSiteOwner: 20,
})
