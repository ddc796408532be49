// In which site a charge point is now, for lists of what does not say it itself.

import { chargePointsTable } from '../../../records/charge-point.js'
import type { ReadView } from '../../../runtime/store/store.js'

/** Null for one that is in no site, or is not a charge point of the organization. Each is looked up once. */
export function siteFinder(view: ReadView, organizationId: string): (chargePointId: string) => string | null {
  const known = new Map<string, string | null>()
  return (chargePointId) => {
    let site = known.get(chargePointId)
    if (site === undefined) {
      const found = view.get(chargePointsTable, [chargePointId])
      site = (found?.organization_id === organizationId ? found.site_id : undefined) ?? null
      known.set(chargePointId, site)
    }
    return site
  }
}
