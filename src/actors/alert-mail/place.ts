// Where a charge point is, as mails about its alerts say it: as its operator has registered it, and only to the organization that has it.

import type { Alert } from '../../records/alert.js'
import { type ChargePoint, chargePointsTable } from '../../records/charge-point.js'
import type { ChargePointPlace } from '../../records/mail.js'
import { sitesTable } from '../../records/site.js'
import type { ReadView } from '../../runtime/store/store.js'

const nameCharacters = 60

/** Undefined where there is none, or where another organization has registered the id since. */
export function placeOf(alert: Alert, view: ReadView): ChargePointPlace | undefined {
  const { charge_point_id: id, organization_id } = alert
  const chargePoint = id === undefined ? undefined : view.get(chargePointsTable, [id])
  return chargePoint?.organization_id === organization_id ? registeredPlace(chargePoint, view) : undefined
}

function registeredPlace(chargePoint: ChargePoint, view: ReadView): ChargePointPlace {
  const { charge_point_id, name, address, latitude, longitude, site_id } = chargePoint
  const site = site_id === undefined ? undefined : view.get(sitesTable, [site_id])
  // One that registered itself is called as its id is, and stands at 0, 0.
  return {
    ...(name !== charge_point_id && name !== '' && { name }),
    ...(address !== '' && { address }),
    ...((latitude !== 0 || longitude !== 0) && { coordinates: { latitude, longitude } }),
    ...(site_id !== undefined && { siteId: site_id }),
    ...(site !== undefined && { siteName: site.name }),
  }
}

/** `CP-1, connector 2 (Car park, bay 1)`; empty for what is about no charge point. */
export function whereText({ charge_point_id, connector_id }: Alert, place: ChargePointPlace | undefined): string {
  if (charge_point_id === undefined) return ''
  const connector = connector_id === undefined ? '' : `, connector ${connector_id}`
  const name = place?.name ?? place?.address
  return `${charge_point_id}${connector}${name === undefined ? '' : ` (${shortened(name)})`}`
}

function shortened(text: string): string {
  return text.length > nameCharacters ? `${text.slice(0, nameCharacters - 1).trimEnd()}…` : text
}
