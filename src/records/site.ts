// A site: charge points behind one grid connection, and what else gives or takes power there. Written by the API under its version.

import { defineTable } from '../runtime/store/table.js'

export interface Site {
  readonly site_id: string
  readonly organization_id: string
  readonly version: number
  readonly name: string
  readonly address: string
  /** What the grid connection holds. */
  readonly max_grid_power_kw: number
  readonly latitude: number
  readonly longitude: number
  /** IANA; absent for that of the organization. Schedules are on its clock. */
  readonly time_zone?: string
  /** Sold at by charge points there that have no tariff of their own; absent for that of the organization. */
  readonly default_tariff_id?: string
  readonly created_at: string
  readonly updated_at: string
}

export const sitesTable = defineTable<Site>({
  name: 'sites',
  key: (row) => [row.site_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byTariff: (row) =>
      row.default_tariff_id === undefined ? [] : [{ group: [row.organization_id, row.default_tariff_id] }],
  },
})
