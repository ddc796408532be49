// The objects of partners from the rows of the service.

import type { Location } from '../../ocpi/schemas/location.js'
import { ocpiLocationObjectsTable, ocpiLocationsTable } from '../../records/ocpi-location.js'
import type { OcpiPartner } from '../../records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import type { PushSource } from './source.js'

function seesLocation({ location_ids }: OcpiPartner, locationId: string): boolean {
  return location_ids === undefined || location_ids.includes(locationId)
}

export const rowSource: PushSource = {
  party: (view, organizationId) => view.get(ocpiPartiesTable, [organizationId]),
  changedLocations: (view, { organization_id }, from, limit) =>
    view
      .listBy(ocpiLocationsTable, 'byUpdate', [organization_id], { from: [from], limit })
      .map(({ location_id, updated_at }) => ({ locationId: location_id, updatedAt: updated_at })),
  location(view, partner, locationId) {
    if (!seesLocation(partner, locationId)) return undefined
    return view.get(ocpiLocationObjectsTable, [partner.organization_id, locationId])?.object as Location | undefined
  },
  ownerOf: () => undefined,
  session: () => undefined,
  placeOf: () => undefined,
  bill: () => ({ cdrs: [], pricedAt: '' }),
  tariffs: () => new Map(),
  tariff: () => undefined,
}
