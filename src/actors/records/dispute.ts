// A dispute: a driver says that a session cost something else than it should have.

import { defineTable } from '../../runtime/table.js'

export const disputeStatuses = ['open'] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

export interface Dispute {
  readonly session_id: string
  /** Counts the disputes of the session from 0: of two that come at the same time, one finds its place taken. */
  readonly ordinal: number
  readonly dispute_id: string
  readonly organization_id: string
  readonly reason: string
  readonly expected_cost?: number
  /** What the session cost when it was disputed: a correction may change it later. */
  readonly disputed_cost: number
  readonly currency: string
  readonly status: DisputeStatus
  readonly created_at: string
}

export const disputesTable = defineTable<Dispute>({
  name: 'disputes',
  key: (row) => [row.session_id, row.ordinal],
  importance: 'operation',
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id], order: [row.dispute_id] }],
    byStatus: (row) => [{ group: [row.organization_id, row.status], order: [row.dispute_id] }],
  },
})
