// A receipt as it was issued: its number and everything that is printed on it, so that the same receipt is printed again
// whatever has been renamed since. A session has one at most; a corrected cost makes a new revision of it.

import type { CostBreakdown } from '../pricing/price-session.js'
import { defineTable } from '../runtime/store/table.js'
import type { Issuer, PaperLayout } from './issuer.js'

/** How a guest has paid. Amounts are in the currency of the cost. */
export interface ReceiptPayment {
  /** The provider has not decided yet. */
  readonly is_pending: boolean
  readonly captured: number
  readonly captured_at?: string
  readonly refunded: number
  /** Of the newest refund. */
  readonly refunded_at?: string
  /** What the provider calls it. */
  readonly reference?: string
}

export interface ReceiptDocument {
  readonly seller: Issuer
  readonly place: {
    readonly charge_point_id: string
    readonly connector_id: number
    /** Absent for a charge point that is no longer registered. */
    readonly name?: string
    readonly address?: string
  }
  readonly session: {
    readonly session_id: string
    readonly transaction_id: number
    readonly id_tag: string
    /** ISO 8601, UTC. */
    readonly started_at: string
    readonly ended_at: string
    /** IANA name: the wall clock on which times are printed. */
    readonly time_zone: string
    /** As measured, before any step_size. */
    readonly energy_wh: number
    /** The end was estimated, and may still be corrected. */
    readonly estimated: boolean
  }
  readonly tariff: { readonly name: string; readonly band: string | null }
  readonly cost: CostBreakdown
  readonly minor_units: number
  /** Absent where the payment is not collected here: whoever charged with a tag. */
  readonly payment?: ReceiptPayment
}

export interface Receipt {
  readonly session_id: string
  readonly organization_id: string
  readonly version: number
  /** `R-000123`; kept by every revision. */
  readonly number: string
  /** Counts from 1. */
  readonly revision: number
  /** ISO 8601, of the first revision and of this one. */
  readonly issued_at: string
  readonly revised_at: string
  readonly layout?: PaperLayout
  readonly document: ReceiptDocument
}

export const receiptsTable = defineTable<Receipt>({
  name: 'receipts',
  key: (row) => [row.session_id],
  importance: 'operation',
  indexes: { byNumber: (row) => [{ group: [row.organization_id], order: [row.number] }] },
})
