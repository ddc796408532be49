// A tariff: what charging costs, before tax, and which charge points sell at it. Rate bands and schedules are in
// tariff-rates.ts; what a session was really priced by is its snapshot, in tariff-snapshot.ts.

import type { TariffTerms } from '../pricing/tariff-terms.js'
import { defineTable } from '../runtime/store/table.js'

export interface Tariff extends TariffTerms {
  readonly organization_id: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

export const tariffsTable = defineTable<Tariff>({
  name: 'tariffs',
  key: (row) => [row.tariff_id],
  indexes: {
    // Ids sort by creation: read backwards, the newest come first.
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byCurrency: (row) => [{ group: [row.organization_id, row.currency] }],
  },
})

/** The tariff at which a charge point sells. */
export interface TariffAssignment {
  readonly charge_point_id: string
  readonly organization_id: string
  readonly version: number
  readonly tariff_id: string
  readonly assigned_at: string
}

export const tariffAssignmentsTable = defineTable<TariffAssignment>({
  name: 'tariff_assignments',
  key: (row) => [row.charge_point_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    /** Its total tells whether a tariff is in use. */
    byTariff: (row) => [{ group: [row.organization_id, row.tariff_id] }],
  },
})
