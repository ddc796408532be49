// Charge detail records of roaming partners (OCPI 2.2.1, 10): each as it was made, which is never changed. What corrects one is another: a credit CDR
// that takes the first back, and then a new one. Written by the actor of the partner.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable, type IndexEntry } from '../runtime/store/table.js'
import { keyOfParty, type OcpiPartyId } from './ocpi-party.js'

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

/** For the lists of one of several parties of a partner: whose driver was billed. */
function ofParty({ partner_id, cdr }: OcpiCdrRow, order: number): readonly IndexEntry[] {
  const { cdr_token: token } = cdr as { readonly cdr_token?: Partial<OcpiPartyId> }
  const { country_code, party_id } = token ?? {}
  if (country_code === undefined || party_id === undefined) return []
  return [{ group: [partner_id, keyOfParty({ country_code, party_id })], order: [order] }]
}

export const ocpiCdrsTable = defineTable<OcpiCdrRow>({
  name: 'ocpi_cdrs',
  key: (row) => [row.partner_id, row.session_id, row.number],
  importance: 'transaction',
  indexes: {
    byCreation: (row) => [{ group: [row.partner_id], order: [row.created_at] }],
    byEnd: (row) => [{ group: [row.partner_id], order: [row.ended_at] }],
    byCreationOfParty: (row) => ofParty(row, row.created_at),
    byEndOfParty: (row) => ofParty(row, row.ended_at),
  },
})

/** Of a session, in the order in which they were made. */
export function cdrsOfSession(view: ReadView, partnerId: string, sessionId: string): readonly OcpiCdrRow[] {
  return view.list(ocpiCdrsTable, [partnerId, sessionId])
}
