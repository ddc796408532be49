// What a session cost when it ended, line by line, with the rules as they stood and the trace that explains it. Written by
// the charge point's actor in the commit that ends the session, and again if a late StopTransaction corrects it.

import type { AgreedTotal } from '../pricing/agreed-total.js'
import type { PricedSession } from '../pricing/price-session.js'
import { defineTable } from '../runtime/store/table.js'
import type { BillingRule } from './billing-rule.js'

export interface SessionCost {
  readonly session_id: string
  readonly organization_id: string
  readonly charge_point_id: string
  readonly site_id?: string
  /** ISO 8601; the month and day that it counts in are those of this time in the organization's time zone. */
  readonly ended_at: string
  readonly tariff_snapshot: string
  readonly priced: PricedSession
  /** Those that were active at the close, so that a later change reprices nothing. */
  readonly rules: readonly BillingRule[]
  /** Since a dispute was accepted: holds for every later pricing too. */
  readonly agreed?: AgreedTotal
  readonly priced_at: string
  /** ISO 8601; when the tariff and the rules made the price. Only where a total was agreed, which changes `priced_at`. */
  readonly computed_at?: string
}

export const sessionCostsTable = defineTable<SessionCost>({
  name: 'session_costs',
  key: (row) => [row.session_id],
  importance: 'transaction',
  indexes: {
    // By the end: reports and invoices read a period of it.
    byEnd: (row) => [{ group: [row.organization_id], order: [Date.parse(row.ended_at)] }],
    // By the pricing: what has changed since an invoice was made.
    byPriced: (row) => [{ group: [row.organization_id], order: [Date.parse(row.priced_at)] }],
  },
  uncounted: ['byPriced'],
})
