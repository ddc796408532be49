// What a session cost when it ended, line by line, with the rules as they stood and the trace that explains it. Written by
// the charge point's actor in the commit that ends the session, and again if a late StopTransaction corrects it; each time with a row
// of `unbilled_sessions`, which the billing actor removes when the price is on an invoice.

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
    // By the end: reports read a period of it.
    byEnd: (row) => [{ group: [row.organization_id], order: [Date.parse(row.ended_at)] }],
  },
})

/** The price of a session that is on no invoice yet, or that has changed since. */
export interface UnbilledSession {
  readonly session_id: string
  /** Which pricing: grows with each while the session is unbilled, so that a removal never takes a later one along. */
  readonly pricing: number
  readonly organization_id: string
  /** When it ended, ms; at the latest when it was priced, as a clock that is ahead ends sessions in months to come. */
  readonly due_at: number
}

export const unbilledSessionsTable = defineTable<UnbilledSession>({
  name: 'unbilled_sessions',
  key: (row) => [row.session_id, row.pricing],
  importance: 'transaction',
  indexes: {
    byDue: (row) => [{ group: [row.organization_id], order: [row.due_at] }],
  },
  uncounted: ['byDue'],
})

/** The row that says so, by its first pricing unless `pricing` is given; `now`: confirmed time of the pricing, ms. */
export function unbilledSession(
  { session_id, organization_id, ended_at }: Pick<SessionCost, 'session_id' | 'organization_id' | 'ended_at'>,
  now: number,
  pricing = 1,
): UnbilledSession {
  return { session_id, pricing, organization_id, due_at: Math.min(Date.parse(ended_at), now) }
}
