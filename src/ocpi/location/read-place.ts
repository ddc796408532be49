// Reads what a location is made of from the store. It costs the location: its charge points, and a few rows of each.

import { type ChargePoint, chargePointsTable, isOwnedBy } from '../../records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../records/charge-point-state.js'
import { reportedConfigurationsTable } from '../../records/configuration.js'
import { type OcpiParty, ocpiPartiesTable } from '../../records/ocpi-party.js'
import { type OcpiPlace, type OcpiPlaceKind, ocpiPlacesTable } from '../../records/ocpi-place.js'
import { organizationsTable } from '../../records/organization.js'
import { isOnline, type LiveNodes } from '../../records/presence.js'
import { sellingTariff } from '../../records/selling-tariff.js'
import { type Site, sitesTable } from '../../records/site.js'
import type { Tariff } from '../../records/tariff.js'
import type { ReadView } from '../../runtime/store/store.js'
import { readTariff } from '../tariff/read-tariff.js'
import type { ChargePointFacts, PlaceFacts } from './place-facts.js'

/** A site, or a charge point that is in none. */
export interface Place {
  readonly kind: OcpiPlaceKind
  readonly id: string
}

export interface ReadPlaceOptions {
  readonly view: ReadView
  readonly organizationId: string
  readonly live: LiveNodes
  /** Wall ms. */
  readonly now: number
  /** Details that are about to take the place of those that are stored. */
  readonly changed?: OcpiPlace
}

/** Where a charge point stands, as partners know it. */
export function placeOf({ charge_point_id, site_id }: Pick<ChargePoint, 'charge_point_id' | 'site_id'>): Place {
  return site_id === undefined ? { kind: 'charge_point', id: charge_point_id } : { kind: 'site', id: site_id }
}

/** Undefined where the organization has no such place, or is no party of roaming. */
export function readPlace(place: Place, options: ReadPlaceOptions): PlaceFacts | undefined {
  const { view, organizationId } = options
  const organization = view.get(organizationsTable, [organizationId])
  const party = view.get(ocpiPartiesTable, [organizationId])
  if (organization === undefined || party === undefined) return undefined
  const details = detailsIn(options, place)
  if (place.kind === 'site') {
    const site = siteOf(view, organizationId, place.id)
    if (site === undefined) return undefined
    const chargePoints = view.listBy(chargePointsTable, 'bySite', [organizationId, site.site_id])
    const offered = offers(view, party, options.now)
    const facts = chargePoints.map((chargePoint) => readChargePoint(chargePoint, offered, options))
    return { organization, party, site, details, chargePoints: facts.filter((one) => one.details?.publish !== false) }
  }
  const chargePoint = view.get(chargePointsTable, [place.id])
  if (chargePoint?.organization_id !== organizationId || chargePoint.site_id !== undefined) return undefined
  const offered = offers(view, party, options.now)
  return {
    organization,
    party,
    site: undefined,
    details,
    chargePoints: [readChargePoint(chargePoint, offered, options)],
  }
}

function siteOf(view: ReadView, organizationId: string, siteId: string): Site | undefined {
  const site = view.get(sitesTable, [siteId])
  return site?.organization_id === organizationId ? site : undefined
}

/** Whoever had the id before may have said something else. */
export function detailsOf(view: ReadView, organizationId: string, { kind, id }: Place): OcpiPlace | undefined {
  const details = view.get(ocpiPlacesTable, [kind, id])
  return details?.organization_id === organizationId ? details : undefined
}

function detailsIn({ view, organizationId, changed }: ReadPlaceOptions, { kind, id }: Place): OcpiPlace | undefined {
  return changed?.kind === kind && changed.id === id ? changed : detailsOf(view, organizationId, { kind, id })
}

/** Whether partners are offered the tariff: as far as OCPI can express it. */
type IsOffered = (tariff: Tariff) => boolean

function offers(view: ReadView, party: OcpiParty, now: number): IsOffered {
  const known = new Map<string, boolean>()
  return (tariff) => {
    const offered = known.get(tariff.tariff_id) ?? readTariff(view, party, tariff, now).ok
    known.set(tariff.tariff_id, offered)
    return offered
  }
}

function readChargePoint(chargePoint: ChargePoint, offered: IsOffered, options: ReadPlaceOptions): ChargePointFacts {
  const { view, organizationId } = options
  const { charge_point_id } = chargePoint
  const told = view.get(chargePointStatesTable, [charge_point_id])
  const state = told !== undefined && isOwnedBy(chargePoint, told.organization_id) ? told : undefined
  const configuration = view.get(reportedConfigurationsTable, [charge_point_id])
  const selling = sellingTariff(view, organizationId, charge_point_id)
  return {
    chargePoint,
    details: detailsIn(options, { kind: 'charge_point', id: charge_point_id }),
    state,
    offlineSince: state === undefined ? undefined : offlineSince(state, options),
    featureProfiles: configuration?.keys.supportedfeatureprofiles?.value,
    tariffIds: selling !== undefined && offered(selling.tariff) ? [selling.tariff.tariff_id] : [],
  }
}

/** One whose node has ended comes back, or is found to be lost: until then it counts as it was. */
function offlineSince(state: ChargePointState, { live, now }: ReadPlaceOptions): number | undefined {
  if (isOnline(state, live)) return undefined
  if (state.connected) return now
  const times = [state.disconnected_at, state.presence_lost_at].filter((time) => time !== undefined)
  return Math.max(0, ...times.map((time) => Date.parse(time)))
}
