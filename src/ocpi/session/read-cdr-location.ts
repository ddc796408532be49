// Where a session is, as its CDR says it: of the location as it is at this moment, published or not.

import { ocpiLocationObjectsTable } from '../../records/ocpi-location.js'
import type { LiveNodes } from '../../records/presence.js'
import type { Session } from '../../records/session.js'
import type { ReadView } from '../../runtime/store/store.js'
import { evseUidOf, locationIdOf } from '../ids.js'
import { makeLocation } from '../location/make-location.js'
import { missingOf } from '../location/missing.js'
import { readPlace } from '../location/read-place.js'
import { stampLocation } from '../location/stamp-location.js'
import type { CdrLocation } from '../schemas/cdr.js'
import type { Location } from '../schemas/location.js'
import { cdrLocationOf } from './make-cdr.js'

/** Undefined where the location lacks what OCPI requires. */
export function readCdrLocation(
  view: ReadView,
  { organization_id, charge_point_id, connector_id, site_id }: Session,
  live: LiveNodes,
  now: number,
): CdrLocation | undefined {
  const key = [organization_id, locationIdOf(site_id ?? charge_point_id)]
  const stored = view.get(ocpiLocationObjectsTable, key)?.object as Location | undefined
  const uid = evseUidOf(charge_point_id, connector_id)
  return placeIn(stored, uid) ?? placeIn(madeNow(), uid)

  /** It is not published, or its connector is new. */
  function madeNow(): Location | undefined {
    const kind = site_id === undefined ? 'charge_point' : 'site'
    const place = { kind, id: site_id ?? charge_point_id } as const
    const facts = readPlace(place, { view, organizationId: organization_id, live, now })
    if (facts === undefined || missingOf(facts).length > 0) return undefined
    const made = makeLocation(facts, now)
    return made === undefined ? undefined : stampLocation(undefined, made.location, now).location
  }
}

function placeIn(location: Location | undefined, uid: string): CdrLocation | undefined {
  const evse = location?.evses?.find((one) => one.uid === uid)
  const connector = evse?.connectors[0]
  return location && evse && connector && cdrLocationOf(location, evse, connector)
}
