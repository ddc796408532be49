// The monthly invoices of an organization, what each of them bills, and how far an organization has been billed. Written by its
// billing actor, which closes its months, and by that of the issuer, which numbers what is ready; an invoice is never changed, what
// is corrected later stands on the next one.

import type { CostAmounts } from '../pricing/cost-sums.js'
import type { TaxOfRate } from '../pricing/tax-by-rate.js'
import { defineTable } from '../runtime/store/table.js'
import type { Issuer, PaperLayout } from './issuer.js'

/**
 * sessions: those that ended in the month. late_sessions: of earlier months, priced after their month was closed. corrections:
 * what changed in sessions that were billed before, as the difference.
 */
export const invoiceLineTypes = ['sessions', 'late_sessions', 'corrections'] as const
export type InvoiceLineType = (typeof invoiceLineTypes)[number]

/** A sum over the sessions of one tariff and tax rate. */
export interface InvoiceLine extends CostAmounts {
  readonly type: InvoiceLineType
  readonly tariff_id: string
  readonly tariff_name: string
  readonly tax_percentage: number
  readonly count: number
}

/**
 * subtotal + adjustments + tax + rounding = total, which is the sum of what the sessions cost. `tax` is the sum of `taxes`; `rounding` is
 * by how much the taxes of the single sessions, each rounded on its own, differ from it.
 */
export interface Invoice extends CostAmounts {
  /** Made of organization, month and currency: an invoice has no second one beside it. */
  readonly invoice_id: string
  readonly organization_id: string
  /** `INV-000012`: counts up over all invoices of the issuer, without gaps; before schema version 2 over those of the recipient. */
  readonly number: string
  /** `2026-10`. */
  readonly month: string
  /** ISO 8601, inclusive and exclusive: the month in the time zone. */
  readonly period_from: string
  readonly period_to: string
  /** IANA name. */
  readonly time_zone: string
  /** ISO 4217. */
  readonly currency: string
  readonly minor_units: number
  readonly issued_at: string
  /** The organization in whose sequence the number is; absent before schema version 2. */
  readonly issuer_id?: string
  readonly issuer: Issuer
  readonly recipient: Issuer
  /** Absent before schema version 2: then the tax is the sum of the sessions' taxes, and nothing is rounded. */
  readonly taxes?: readonly TaxOfRate[]
  readonly rounding?: number
  readonly layout?: PaperLayout
  /** Sessions and corrections. */
  readonly count: number
  readonly lines: readonly InvoiceLine[]
}

export const invoicesTable = defineTable<Invoice>({
  name: 'invoices',
  key: (row) => [row.invoice_id],
  importance: 'operation',
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id], order: [row.month, row.number] }],
    byMonth: (row) => [{ group: [row.organization_id, row.month], order: [row.number] }],
  },
})

/** An invoice that is made but for its number: the issuer's billing actor numbers these one after the other. */
export interface UnnumberedInvoice extends Omit<Invoice, 'number' | 'issued_at'> {
  /** The organization whose numbers it takes. */
  readonly issuer_id: string
}

export const unnumberedInvoicesTable = defineTable<UnnumberedInvoice>({
  name: 'unnumbered_invoices',
  key: (row) => [row.issuer_id, row.month, row.invoice_id],
  importance: 'operation',
})

/** One session on one invoice; of a correction, the differences to what was billed before. */
export interface InvoiceItem extends CostAmounts {
  readonly invoice_id: string
  readonly session_id: string
  readonly organization_id: string
  readonly month: string
  readonly type: InvoiceLineType
  readonly charge_point_id: string
  readonly ended_at: string
  readonly currency: string
  readonly tariff_id: string
  readonly tax_percentage: number
}

export const invoiceItemsTable = defineTable<InvoiceItem>({
  name: 'invoice_items',
  key: (row) => [row.invoice_id, row.session_id],
  importance: 'operation',
  indexes: {
    // What has been billed of a session so far.
    bySession: (row) => [{ group: [row.session_id] }],
    byMonth: (row) => [{ group: [row.organization_id, row.month] }],
  },
  uncounted: ['bySession', 'byMonth'],
})

/** How far an organization has been billed; absent before its first month. */
export interface BillingProgress {
  readonly organization_id: string
  /** The last month that is closed, `2026-10`, and the end of it in ms: where the next one begins. */
  readonly closed_through: string
  readonly closed_until: number
}

export const billingProgressTable = defineTable<BillingProgress>({
  name: 'billing_progress',
  key: (row) => [row.organization_id],
  importance: 'operation',
})
