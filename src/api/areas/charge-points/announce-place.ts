// Word to the locations that roaming partners see, in the commit of what may change them. An organization without a party has none; once it
// has one, all of its places are looked at.

import { everyPlaceWakeUp, placeWakeUp } from '../../../actors/messages/ocpi-locations.js'
import { type Place, placeOf } from '../../../ocpi/location/read-place.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { ocpiPartiesTable } from '../../../records/ocpi-party.js'
import type { Organization } from '../../../records/organization.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import { putRow } from '../../pipeline/changes.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'

type Clock = Pick<Services, 'clock'>

/** `change` tells this change of the place from every other: the version of what was changed, say. */
export function announcePlace(
  draft: Draft,
  organizationId: string,
  place: Place,
  change: string,
  { clock }: Clock,
): void {
  if (draft.view.get(ocpiPartiesTable, [organizationId]) === undefined) return
  draft.add({ changes: [putRow(wakeUpsTable, placeWakeUp(organizationId, place, change, clock))] })
}

/** What is read of a charge point by partners. */
const shown = [
  'organization_id',
  'name',
  'latitude',
  'longitude',
  'address',
  'connector_count',
  'max_power_kw',
  'phases',
  'site_id',
  'registration',
] as const

/** Where the charge point was, and where it is now; nothing where partners see nothing of the change. */
export function announceMoved(draft: Draft, before: ChargePoint, after: ChargePoint, services: Clock): void {
  if (shown.every((field) => before[field] === after[field])) return
  const change = `registration-${after.version}`
  announcePlace(draft, after.organization_id, placeOf(after), change, services)
  if (before.site_id !== after.site_id) announcePlace(draft, after.organization_id, placeOf(before), change, services)
}

/** What the other commits of this moment have not told is in the store by then: they did not see that there is a party. */
const settledMs = 2_000

/** All of its places: the party, the organization or what it sells at has changed. */
export function announceEveryPlace(draft: Draft, organizationId: string, change: string, { clock }: Clock): void {
  const wakeUp = everyPlaceWakeUp(organizationId, change, clock, settledMs)
  draft.add({ changes: [putRow(wakeUpsTable, wakeUp)] })
}

const shownOfOrganization = ['country', 'time_zone', 'default_tariff_id'] as const

/** The same, where what partners see of the organization is another. */
export function announceOrganization(draft: Draft, before: Organization, after: Organization, services: Clock): void {
  const { organization_id, version } = after
  const isSame = shownOfOrganization.every((field) => before[field] === after[field])
  if (isSame || draft.view.get(ocpiPartiesTable, [organization_id]) === undefined) return
  announceEveryPlace(draft, organization_id, `organization-${version}`, services)
}

/** The same, where what partners can be offered of its prices may be another: a tariff, its bands or schedule, or a billing rule. */
export function announcePrices(draft: Draft, organizationId: string, services: Clock & Pick<Services, 'newId'>): void {
  if (draft.view.get(ocpiPartiesTable, [organizationId]) === undefined) return
  announceEveryPlace(draft, organizationId, services.newId('chg'), services)
}
