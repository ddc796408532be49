// The locations that roaming partners see (OCPI 2.2.1, 8): of each, when it came and when it last changed, and beside it the location as it is
// sent. Written by the actor of the organization's locations alone. One that is no longer published stays for a while, with its EVSEs removed.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import type { OcpiPlaceKind } from './ocpi-place.js'

export interface OcpiLocation {
  readonly organization_id: string
  /** As partners know it. */
  readonly location_id: string
  readonly kind: OcpiPlaceKind
  /** Of the site, or the charge point. */
  readonly place_id: string
  /** Wall ms: partners read the oldest first, so that one that is new shifts no page. */
  readonly created_at: number
  /** Wall ms: its `last_updated`. */
  readonly updated_at: number
  /** It is published no more. */
  readonly is_removed?: true
}

export const ocpiLocationsTable = defineTable<OcpiLocation>({
  name: 'ocpi_locations',
  key: (row) => [row.organization_id, row.location_id],
  indexes: {
    byCreation: (row) => [{ group: [row.organization_id], order: [row.created_at] }],
    byUpdate: (row) => [{ group: [row.organization_id], order: [row.updated_at] }],
    byFoldedId: (row) => [{ group: [row.organization_id, row.location_id.toLowerCase()] }],
  },
  uncounted: ['byFoldedId'],
})

/** By its id without case. If two ids differ in case alone, the exact one comes first. */
export function findLocation(view: ReadView, organizationId: string, id: string): OcpiLocation | undefined {
  const group = [organizationId, id.toLowerCase()]
  return (
    view.get(ocpiLocationsTable, [organizationId, id]) ??
    view.listBy(ocpiLocationsTable, 'byFoldedId', group, { limit: 1 })[0]
  )
}

/** Which connector of which charge point an EVSE is. */
export interface OcpiOutlet {
  readonly uid: string
  readonly charge_point_id: string
  readonly connector_id: number
}

export interface OcpiLocationObject {
  readonly organization_id: string
  readonly location_id: string
  /** A Location of OCPI 2.2.1. */
  readonly object: object
  readonly outlets: readonly OcpiOutlet[]
}

export const ocpiLocationObjectsTable = defineTable<OcpiLocationObject>({
  name: 'ocpi_location_objects',
  key: (row) => [row.organization_id, row.location_id],
})

/** The same of a location with its EVSEs. */
export function findLocationObject(view: ReadView, organizationId: string, id: string): OcpiLocationObject | undefined {
  const exact = view.get(ocpiLocationObjectsTable, [organizationId, id])
  if (exact !== undefined) return exact
  const location = findLocation(view, organizationId, id)
  return location && view.get(ocpiLocationObjectsTable, [organizationId, location.location_id])
}
