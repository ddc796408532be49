// What a location is made of: the records of a site or of a charge point that is in none, with what is known of each charge point there.

import type { ChargePoint } from '../../records/charge-point.js'
import { type ChargePointState, outlets } from '../../records/charge-point-state.js'
import { connectorCount } from '../../records/connector-count.js'
import type { OcpiParty } from '../../records/ocpi-party.js'
import type { OcpiPlace } from '../../records/ocpi-place.js'
import { defaultTimeZone, type Organization } from '../../records/organization.js'
import type { Site } from '../../records/site.js'

export interface ChargePointFacts {
  readonly chargePoint: ChargePoint
  readonly details: OcpiPlace | undefined
  /** What it has told while it was this organization's. */
  readonly state: ChargePointState | undefined
  /** Since when it has not been connected, wall ms; undefined while it is. */
  readonly offlineSince: number | undefined
  /** As it has reported them (OCPP 1.6, 9.1.28); undefined where it has not. */
  readonly featureProfiles: string | undefined
  /** At what it sells, of what partners can be told. */
  readonly tariffIds: readonly string[]
}

export interface PlaceFacts {
  readonly organization: Pick<Organization, 'organization_id' | 'country' | 'time_zone'>
  readonly party: Pick<OcpiParty, 'country_code' | 'party_id' | 'business_details' | 'publish_by_default'>
  /** Absent for a charge point that is in none. */
  readonly site: Site | undefined
  /** Of the site, or of that charge point. */
  readonly details: OcpiPlace | undefined
  /** In the order of their ids; without those that their operator keeps out of the location. */
  readonly chargePoints: readonly ChargePointFacts[]
}

/** The connectors of a charge point, as far as they are known: as many as it has, and those beyond that it has told of. */
export function connectorsOf({
  chargePoint,
  state,
}: Pick<ChargePointFacts, 'chargePoint' | 'state'>): readonly number[] {
  const count = connectorCount(chargePoint, state) ?? 0
  const counted = Array.from({ length: count }, (_, index) => index + 1)
  const told = state === undefined ? [] : outlets(state).map(({ connector_id }) => connector_id)
  return [...new Set([...counted, ...told])].sort((one, other) => one - other)
}

/** IANA. */
export function timeZoneOf({
  details,
  site,
  organization,
}: Pick<PlaceFacts, 'details' | 'site' | 'organization'>): string {
  return details?.time_zone ?? site?.time_zone ?? organization.time_zone ?? defaultTimeZone
}
