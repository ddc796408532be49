// A location with its EVSEs and connectors, as partners see it, from our records (OCPI 2.2.1, 8.3). When it last changed is not its matter:
// stamp-location.ts.

import type { ChargePointState } from '../../records/charge-point-state.js'
import type { OcpiOutlet } from '../../records/ocpi-location.js'
import type { OcpiConnectorDetails } from '../../records/ocpi-place.js'
import { alpha3Of } from '../../runtime/countries.js'
import { connectorIdOf, evseIdOf, evseUidOf, locationIdOf } from '../ids.js'
import { type GeoLocation, notApplicable } from '../schemas/common.js'
import type { Capability, Connector, Evse, Location } from '../schemas/location.js'
import { cityOfAddress } from './city-of-address.js'
import { connectorDefaults } from './connector-defaults.js'
import { evseStatus } from './evse-status.js'
import { type ChargePointFacts, connectorsOf, type PlaceFacts, timeZoneOf } from './place-facts.js'

export type UnstampedConnector = Omit<Connector, 'last_updated'>
export type UnstampedEvse = Omit<Evse, 'last_updated' | 'connectors'> & {
  readonly connectors: readonly UnstampedConnector[]
}
export type UnstampedLocation = Omit<Location, 'last_updated' | 'evses'> & { readonly evses: readonly UnstampedEvse[] }

export interface MadeLocation {
  readonly location: UnstampedLocation
  readonly outlets: readonly OcpiOutlet[]
}

/** Undefined for a charge point that there is not. What is missing (missing.ts) is empty in it: such a one is not sent. */
export function makeLocation(facts: PlaceFacts, now: number): MadeLocation | undefined {
  const { organization, party, site, details, chargePoints } = facts
  const place = site ?? chargePoints[0]?.chargePoint
  if (place === undefined) return undefined
  const country = details?.country ?? organization.country
  const outlets = chargePoints.flatMap((one) =>
    connectorsOf(one).map((connectorId) => ({
      one,
      connectorId,
      uid: evseUidOf(one.chargePoint.charge_point_id, connectorId),
    })),
  )
  const location = filled<UnstampedLocation>({
    country_code: party.country_code,
    party_id: party.party_id,
    id: locationIdOf(site?.site_id ?? chargePoints[0]?.chargePoint.charge_point_id ?? ''),
    publish: true,
    name: line(place.name, 255),
    address: line(place.address, 255),
    city: line(details?.city ?? cityOfAddress(place.address) ?? notApplicable, 45),
    postal_code: details?.postal_code,
    state: details?.state,
    country: alpha3Of(country) ?? alpha3Of(party.country_code) ?? notApplicable,
    coordinates: coordinates(place),
    parking_type: details?.parking_type,
    evses: outlets.map(({ one, connectorId, uid }) => makeEvse(facts, one, connectorId, uid, now)),
    directions: details?.directions,
    operator: party.business_details,
    owner: details?.owner,
    facilities: details?.facilities,
    time_zone: timeZoneOf(facts),
    opening_times: details?.opening_times,
    charging_when_closed: details?.charging_when_closed,
    images: details?.images,
  })
  return {
    location,
    outlets: outlets.map(({ one, connectorId, uid }) => ({
      uid,
      charge_point_id: one.chargePoint.charge_point_id,
      connector_id: connectorId,
    })),
  }
}

function makeEvse(
  { party, site, organization, details: ofPlace }: PlaceFacts,
  facts: ChargePointFacts,
  connectorId: number,
  uid: string,
  now: number,
): UnstampedEvse {
  const { chargePoint, details } = facts
  const said = details?.connectors?.find(({ connector_id }) => connector_id === connectorId)
  const country = ofPlace?.country ?? organization.country
  const isElsewhere = site !== undefined && hasPlace(chargePoint) && !isSamePlace(chargePoint, site)
  return filled<UnstampedEvse>({
    uid,
    evse_id: said?.evse_id ?? evseIdOf(party, chargePoint.charge_point_id, connectorId),
    status: evseStatus(toldOf(facts, connectorId), now),
    capabilities: details?.capabilities ?? likelyCapabilities(facts),
    connectors: [makeConnector(facts, said, connectorId, country)],
    floor_level: details?.floor_level,
    coordinates: isElsewhere ? coordinates(chargePoint) : undefined,
    physical_reference: said?.physical_reference,
    parking_restrictions: details?.parking_restrictions,
  })
}

function makeConnector(
  { chargePoint, tariffIds }: ChargePointFacts,
  said: OcpiConnectorDetails | undefined,
  connectorId: number,
  country: string,
): UnstampedConnector {
  const { max_power_kw: maxPowerKw, phases } = chargePoint
  const { connector_id: _, evse_id: __, physical_reference: ___, ...electrical } = said ?? { connector_id: connectorId }
  return filled<UnstampedConnector>({
    id: connectorIdOf(connectorId),
    ...connectorDefaults({ maxPowerKw, phases, country }),
    ...electrical,
    tariff_ids: tariffIds.length === 0 ? undefined : tariffIds,
  })
}

function toldOf({ chargePoint, state, offlineSince }: ChargePointFacts, connectorId: number) {
  return {
    connector: statusOf(state, connectorId),
    controller: state?.connectors.find(({ connector_id }) => connector_id === 0)?.status,
    isBlocked: chargePoint.registration === 'Rejected',
    offlineSince,
    hasConnected: state?.connected_at !== undefined,
  }
}

function statusOf(state: ChargePointState | undefined, connectorId: number) {
  if (state?.assumed_charging?.some(({ connector_id }) => connector_id === connectorId) === true) return 'Charging'
  return state?.connectors.find(({ connector_id }) => connector_id === connectorId)?.status
}

/** What nearly every charge point of OCPP 1.6 can do; reservations and charging profiles are optional profiles, which it reports. */
function likelyCapabilities({ featureProfiles = '' }: ChargePointFacts): readonly Capability[] {
  const profiles = featureProfiles.split(',').map((profile) => profile.trim())
  const canReserve = profiles.includes('Reservation')
  const takesProfiles = profiles.includes('SmartCharging')
  return [
    ...(takesProfiles ? (['CHARGING_PROFILE_CAPABLE'] as const) : []),
    'REMOTE_START_STOP_CAPABLE',
    ...(canReserve ? (['RESERVABLE'] as const) : []),
    'RFID_READER',
    'UNLOCK_CAPABLE',
  ]
}

interface Place {
  readonly latitude: number
  readonly longitude: number
}

const hasPlace = ({ latitude, longitude }: Place): boolean => latitude !== 0 || longitude !== 0
const isSamePlace = (one: Place, other: Place): boolean =>
  one.latitude === other.latitude && one.longitude === other.longitude

/** Six decimals are a tenth of a metre. */
export function coordinates({ latitude, longitude }: Place): GeoLocation {
  return { latitude: latitude.toFixed(6), longitude: longitude.toFixed(6) }
}

/** One line that fits, of a text that an earlier version may have taken with any characters in it. */
function line(text: string, maxLength: number): string {
  return [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')].slice(0, maxLength).join('')
}

/**
 * OCPI knows no null: what there is not is left out. The values of enumerations that our records hold as text were checked when they were set.
 */
function filled<Made extends object>(fields: { readonly [Name in keyof Made]: unknown }): Made {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Made
}
