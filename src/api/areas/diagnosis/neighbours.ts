// The charge points beside one that does not come online: where they are connected, the network of the place is fine.

import { Type } from 'typebox'
import { type ChargePoint, cellDegrees, chargePointsTable } from '../../../records/charge-point.js'
import { chargePointStatesTable, chargePointStatuses } from '../../../records/charge-point-state.js'
import { chargePointStatus, isOnline } from '../../../records/presence.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { limits } from './limits.js'

export const neighbourSchema = Type.Object({
  charge_point_id: Type.String(),
  name: Type.String(),
  status: Type.Enum([...chargePointStatuses]),
  online: Type.Boolean(),
  same_address: Type.Boolean({
    description: 'Whether it comes, or came last, from the address from which this charge point comes.',
  }),
})

/** `address`: from where the charge point comes. */
export function neighboursOf(chargePoint: ChargePoint, address: string | undefined, services: Services) {
  const view = services.view()
  return shown(besides(view, chargePoint), address, services)
}

/** Whether others of the organization came from the address last, and are not connected now. */
export function areOthersAway(
  { organization_id, charge_point_id }: ChargePoint,
  address: string | undefined,
  services: Services,
): boolean {
  return neighboursAt(organization_id, address, services).some(
    (other) => other.charge_point_id !== charge_point_id && !other.online,
  )
}

/** Of one that is not registered, only the address is known. */
export function neighboursAt(organizationId: string, address: string | undefined, services: Services) {
  if (address === undefined) return []
  const view = services.view()
  const bounds = { from: [organizationId], to: [`${organizationId}\0`], limit: limits.neighbours }
  const states = view.listBy(chargePointStatesTable, 'byAddress', [address], bounds)
  const found = states.flatMap(({ charge_point_id }) => view.get(chargePointsTable, [charge_point_id]) ?? [])
  return shown(
    found.filter(({ organization_id }) => organization_id === organizationId),
    address,
    services,
  )
}

function shown(chargePoints: readonly ChargePoint[], address: string | undefined, { view, presence }: Services) {
  return chargePoints.slice(0, limits.neighbours).map((chargePoint) => {
    const state = stateOf(view(), chargePoint)
    return {
      charge_point_id: chargePoint.charge_point_id,
      name: chargePoint.name,
      status: chargePointStatus(state, presence.live),
      online: isOnline(state, presence.live),
      same_address: address !== undefined && state?.remote_address === address,
    }
  })
}

/** All others of its site; without one, those that are within about a hundred metres. */
export function placeOf(view: ReadView, chargePoint: ChargePoint): readonly ChargePoint[] {
  const { organization_id, charge_point_id, site_id } = chargePoint
  if (site_id === undefined) return besides(view, chargePoint)
  const all = { limit: limits.neighboursLookedAt }
  const ofSite = view.listBy(chargePointsTable, 'bySite', [organization_id, site_id], all)
  return ofSite.filter((other) => other.charge_point_id !== charge_point_id)
}

/** Those of its site; without one, those that are within about a hundred metres. */
function besides(view: ReadView, chargePoint: ChargePoint): readonly ChargePoint[] {
  const { organization_id, charge_point_id, site_id } = chargePoint
  if (site_id !== undefined) {
    const list = (query: object) =>
      view.listBy(chargePointsTable, 'bySite', [organization_id, site_id], { limit: limits.neighbours, ...query })
    // Those before it and those behind it: they are often mounted in the order of their ids.
    const before = list({ to: [charge_point_id], reverse: true }).reverse()
    const behind = list({ from: [`${charge_point_id}\0`] })
    const fewBehind = Math.max(limits.neighbours - behind.length, Math.ceil(limits.neighbours / 2))
    return [...before.slice(-fewBehind), ...behind].slice(0, limits.neighbours)
  }
  const { latitude, longitude } = chargePoint
  const column = Math.floor(longitude / cellDegrees)
  const cell = view.listBy(chargePointsTable, 'byCell', [organization_id, Math.floor(latitude / cellDegrees)], {
    from: [column],
    to: [column + 1],
    limit: limits.neighboursLookedAt,
  })
  return cell
    .filter((other) => other.charge_point_id !== charge_point_id && metres(other, chargePoint) < placeMetres)
    .sort((one, other) => metres(one, chargePoint) - metres(other, chargePoint))
}

const placeMetres = 100
const metresOfDegree = 111_000

function metres(
  one: Pick<ChargePoint, 'latitude' | 'longitude'>,
  other: Pick<ChargePoint, 'latitude' | 'longitude'>,
): number {
  const north = (one.latitude - other.latitude) * metresOfDegree
  const east = (one.longitude - other.longitude) * metresOfDegree * Math.cos((one.latitude * Math.PI) / 180)
  return Math.hypot(north, east)
}
