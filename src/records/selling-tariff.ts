// The tariff at which a charge point sells now: its own, or else the default of its site, or of its organization. Everything that asks, from a session's
// start to the reference of prices, asks here.

import type { ReadView } from '../runtime/store/store.js'
import { chargePointsTable } from './charge-point.js'
import { organizationsTable } from './organization.js'
import { sitesTable } from './site.js'
import { type Tariff, type TariffAssignment, tariffAssignmentsTable, tariffsTable } from './tariff.js'

export const tariffSources = ['charge_point', 'site', 'organization'] as const
export type TariffSource = (typeof tariffSources)[number]

export interface SellingTariff {
  readonly tariff: Tariff
  /** Where it was set. */
  readonly source: TariffSource
  /** Of the charge point's own. */
  readonly assignment?: TariffAssignment
}

/** Undefined for a charge point that sells at nothing. */
export function sellingTariff(
  view: ReadView,
  organizationId: string,
  chargePointId: string,
): SellingTariff | undefined {
  const assignment = ownAssignment(view, organizationId, chargePointId)
  const assigned = ownTariff(view, organizationId, assignment?.tariff_id)
  if (assignment !== undefined && assigned !== undefined)
    return { tariff: assigned, source: 'charge_point', assignment }
  return inheritedTariff(view, organizationId, chargePointId)
}

/** The tariff of a charge point without one of its own. */
export function inheritedTariff(
  view: ReadView,
  organizationId: string,
  chargePointId: string,
): SellingTariff | undefined {
  const ofSite = siteTariff(view, organizationId, chargePointId)
  if (ofSite !== undefined) return { tariff: ofSite, source: 'site' }
  const fallback = defaultTariff(view, organizationId)
  return fallback === undefined ? undefined : { tariff: fallback, source: 'organization' }
}

function siteTariff(view: ReadView, organizationId: string, chargePointId: string): Tariff | undefined {
  const chargePoint = view.get(chargePointsTable, [chargePointId])
  if (chargePoint?.site_id === undefined || chargePoint.organization_id !== organizationId) return undefined
  return ownTariff(view, organizationId, view.get(sitesTable, [chargePoint.site_id])?.default_tariff_id)
}

export function defaultTariff(view: ReadView, organizationId: string): Tariff | undefined {
  return ownTariff(view, organizationId, view.get(organizationsTable, [organizationId])?.default_tariff_id)
}

/** A charge point's id may have been another organization's once. */
export function ownAssignment(
  view: ReadView,
  organizationId: string,
  chargePointId: string,
): TariffAssignment | undefined {
  const assignment = view.get(tariffAssignmentsTable, [chargePointId])
  return assignment?.organization_id === organizationId ? assignment : undefined
}

function ownTariff(view: ReadView, organizationId: string, tariffId: string | null | undefined): Tariff | undefined {
  const tariff = tariffId === undefined || tariffId === null ? undefined : view.get(tariffsTable, [tariffId])
  return tariff?.organization_id === organizationId ? tariff : undefined
}
