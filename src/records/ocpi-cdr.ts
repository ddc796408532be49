// Charge detail records of roaming partners (OCPI 2.2.1, 10): each as it was made, which is never changed. What corrects one is another: a credit CDR
// that takes the first back, and then a new one. Written by the actor of the partner.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'

export interface OcpiCdrRow {
  readonly partner_id: string
  readonly session_id: string
  /** Of the CDRs of the session, from 0. */
  readonly number: number
  readonly cdr_id: string
  readonly organization_id: string
  /** It takes back the one before it. */
  readonly is_credit?: true
  /** The pricing of the session that it tells of (ISO 8601). */
  readonly priced_at: string
  /** Wall ms: the end of the session, by which partners ask for CDRs, and when the CDR was made. */
  readonly ended_at: number
  readonly created_at: number
  /** A CDR of OCPI 2.2.1. */
  readonly cdr: object
}

export const ocpiCdrsTable = defineTable<OcpiCdrRow>({
  name: 'ocpi_cdrs',
  key: (row) => [row.partner_id, row.session_id, row.number],
  importance: 'transaction',
  indexes: {
    byCreation: (row) => [{ group: [row.partner_id], order: [row.created_at] }],
    byEnd: (row) => [{ group: [row.partner_id], order: [row.ended_at] }],
  },
})

/** Of a session, in the order in which they were made. */
export function cdrsOfSession(view: ReadView, partnerId: string, sessionId: string): readonly OcpiCdrRow[] {
  return view.list(ocpiCdrsTable, [partnerId, sessionId])
}
