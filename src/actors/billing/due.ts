// How far the months of an organization are billed, as the store has it, and which month comes next.

import {
  type BillingProgress,
  billingProgressTable,
  invoicesTable,
  unnumberedInvoicesTable,
} from '../../records/invoice.js'
import { defaultTimeZone, installationTable, type Organization } from '../../records/organization.js'
import { unbilledSessionsTable } from '../../records/session-cost.js'
import type { ReadView } from '../../runtime/store/store.js'
import { type Closed, duePeriod, type Period } from './periods.js'

export interface DueMonth {
  readonly period: Period
  readonly timeZone: string
}

/** The month to close at `now` (confirmed time, ms), if there is one; two or three reads. */
export function dueMonth(view: ReadView, organization: Organization, now: number): DueMonth | undefined {
  const { organization_id, time_zone: timeZone = defaultTimeZone } = organization
  const progress = view.get(billingProgressTable, [organization_id])
  const closed = progress && closedAt(view, progress, now)
  const firstEnd = closed === undefined ? firstDueOf(view, organization_id) : undefined
  const period = duePeriod(closed, firstEnd, timeZone, now)
  return period && { period, timeZone }
}

/**
 * Months that were closed before they were over, by a clock that was ahead, are closed again when they are over; the newest month with an
 * invoice stays closed, and so do those before it.
 */
function closedAt(view: ReadView, progress: BillingProgress, now: number): Closed | undefined {
  const { organization_id, closed_through: through, closed_until: until } = progress
  if (until <= now) return { through, until }
  const issuerId = view.get(installationTable, ['installation'])?.default_organization_id ?? organization_id
  // An invoice that waits for its number is not in the list yet.
  if (view.list(unnumberedInvoicesTable, [issuerId], { limit: 1 }).length > 0) return { through, until }
  const [newest] = view.listBy(invoicesTable, 'byOrganization', [organization_id], { reverse: true, limit: 1 })
  return newest && { through: newest.month, until: Date.parse(newest.period_to) }
}

function firstDueOf(view: ReadView, organizationId: string): number | undefined {
  return view.listBy(unbilledSessionsTable, 'byDue', [organizationId], { limit: 1 })[0]?.due_at
}
