// A registered charge point: what operators say about it. What it says about itself is in charge-point-state.ts.

import { defineTable } from '../../runtime/table.js'
import type { AuthorizationKeyHash } from './authorization-key.js'

export interface ChargePoint {
  readonly charge_point_id: string
  readonly organization_id: string
  readonly version: number
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly address: string
  /** As its operator said; absent for one that registered itself. How many there are: `connector-count.ts`. */
  readonly connector_count?: number
  /** How often the operator has changed the count: what the charge point named before counts no more. */
  readonly connector_count_changes?: number
  /** Per connector; absent where nobody has said it. */
  readonly max_power_kw?: number
  readonly serial_number?: string
  readonly site_id?: string
  readonly authorization_key?: AuthorizationKeyHash
  /** A key that is being replaced: good until the charge point has logged in with the new one. */
  readonly previous_authorization_key?: AuthorizationKeyHash
  /** Set once a client certificate is issued for it: it must then present one. */
  readonly certificate_required?: boolean
  /** Administrative block: BootNotification is answered Rejected. */
  readonly registration?: 'Accepted' | 'Pending' | 'Rejected'
  /** Seconds between the service's WebSocket pings; 0 for a charge point that breaks when pinged. */
  readonly ping_interval_seconds?: number
  readonly created_at: string
  readonly updated_at: string
}

/** Degrees to cells of about 0.1 degree: a search reads the cells around a place, not the table. */
export const cellDegrees = 0.1

export const chargePointsTable = defineTable<ChargePoint>({
  name: 'charge_points',
  key: (row) => [row.charge_point_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byFoldedId: (row) => [{ group: [row.charge_point_id.toLowerCase()] }],
    bySite: (row) => (row.site_id === undefined ? [] : [{ group: [row.organization_id, row.site_id] }]),
    byCell: (row) => [
      {
        group: [row.organization_id, Math.floor(row.latitude / cellDegrees)],
        order: [Math.floor(row.longitude / cellDegrees)],
      },
    ],
  },
})
