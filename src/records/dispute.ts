// A dispute: a driver says that a session cost something else than it should have, and what the operator answers. Written by the charge
// point's actor alone, as the session is.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'

export const disputeStatuses = ['open', 'under_review', 'accepted', 'rejected'] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

/** What may become of a dispute: an answer is final. */
export const disputeTransitions: Readonly<Record<DisputeStatus, readonly DisputeStatus[]>> = {
  open: ['under_review', 'accepted', 'rejected'],
  under_review: ['open', 'accepted', 'rejected'],
  accepted: [],
  rejected: [],
}

export interface Dispute {
  readonly session_id: string
  /** Counts the disputes of the session from 0. */
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
  /** Whose request has opened it; absent where an earlier version has. */
  readonly opened_by?: string
  /** The operator's answer, which the driver reads too. */
  readonly note?: string
  /** What the session costs since the dispute was accepted. */
  readonly accepted_amount?: number
  /** The last change and who made it; absent where there was none. */
  readonly updated_at?: string
  readonly updated_by?: string
}

export const disputesTable = defineTable<Dispute>({
  name: 'disputes',
  key: (row) => [row.session_id, row.ordinal],
  importance: 'operation',
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id], order: [row.dispute_id] }],
    byStatus: (row) => [{ group: [row.organization_id, row.status], order: [row.dispute_id] }],
    byId: (row) => [{ group: [row.dispute_id] }],
  },
  uncounted: ['byId'],
})

/** A session has one undecided dispute at most, which is its last. */
export function lastDispute(view: ReadView, sessionId: string): Dispute | undefined {
  return view.list(disputesTable, [sessionId], { reverse: true, limit: 1 })[0]
}

export function isDecided({ status }: Dispute): boolean {
  return disputeTransitions[status].length === 0
}
