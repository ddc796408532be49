// The objects of partners from the rows of the service.

import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import type { PushSource } from './source.js'

export const rowSource: PushSource = {
  party: (view, organizationId) => view.get(ocpiPartiesTable, [organizationId]),
  changedLocations: () => [],
  location: () => undefined,
  ownerOf: () => undefined,
  session: () => undefined,
  cdrsOf: () => [],
  cdr: () => undefined,
  tariffs: () => new Map(),
  tariff: () => undefined,
}
