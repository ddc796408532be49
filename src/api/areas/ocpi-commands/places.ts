// Which connector of which charge point a command means: what a partner calls a location, an EVSE and a connector (OCPI 2.2.1, 13.3).

import { connectorIdOf, isSameId } from '../../../ocpi/ids.js'
import type { Evse, Location } from '../../../ocpi/schemas/location.js'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../records/charge-point-state.js'
import { findLocationObject } from '../../../records/ocpi-location.js'
import { sees } from '../../../records/ocpi-partner.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { notEnoughInformation, unknownLocation } from '../../surfaces/ocpi-errors.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'

export interface Named {
  readonly location_id: string
  readonly evse_uid?: string | undefined
  readonly connector_id?: string | undefined
}

export interface Outlet {
  readonly chargePoint: ChargePoint
  readonly state: ChargePointState | undefined
  readonly connectorId: number
  readonly locationId: string
}

/** A connector without its EVSE means the only one of that id; without either, one that is free is chosen. */
function anyOf(evses: readonly Evse[], { connector_id, location_id }: Named): Evse | undefined {
  if (connector_id === undefined) return evses.find(({ status }) => status === 'AVAILABLE') ?? evses[0]
  const [only, another] = evses.filter(({ connectors }) => connectors.some(({ id }) => isSameId(id, connector_id)))
  if (only === undefined) throw unknownLocation(`the location ${location_id} has no connector ${connector_id}`)
  if (another !== undefined)
    throw notEnoughInformation(`the location ${location_id} has several connectors ${connector_id}: send the evse_uid`)
  return only
}

/** Throws `notEnoughInformation` where what is named could be several things, and `unknownLocation` where the partner sees no such place. */
export function outletOf({ partner }: OcpiPrincipal, named: Named, view: ReadView): Outlet {
  const { organization_id, location_ids } = partner
  const row = findLocationObject(view, organization_id, named.location_id)
  if (row === undefined || !sees(location_ids, row.location_id))
    throw unknownLocation(`there is no location ${named.location_id}`)
  const { evses = [] } = row.object as Location
  const standing = evses.filter(({ status }) => status !== 'REMOVED')
  const { evse_uid, connector_id } = named
  const evse = evse_uid === undefined ? anyOf(standing, named) : standing.find(({ uid }) => isSameId(uid, evse_uid))
  const outlet = row.outlets.find(({ uid }) => uid === evse?.uid)
  const chargePoint = outlet && view.get(chargePointsTable, [outlet.charge_point_id])
  if (outlet === undefined || chargePoint?.organization_id !== organization_id)
    throw unknownLocation(`there is no EVSE ${evse_uid ?? ''} at the location ${named.location_id}`)
  if (connector_id !== undefined && connector_id !== connectorIdOf(outlet.connector_id))
    throw unknownLocation(`the EVSE ${outlet.uid} has no connector ${connector_id}`)
  const state = view.get(chargePointStatesTable, [chargePoint.charge_point_id])
  return { chargePoint, state, connectorId: outlet.connector_id, locationId: row.location_id }
}
