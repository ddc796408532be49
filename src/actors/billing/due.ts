// What the store knows about the months of an organization: how far it was billed, and which month comes next.

import { type BillingProgress, billingProgressTable } from '../../records/invoice.js'
import { defaultTimeZone, type Organization } from '../../records/organization.js'
import { sessionCostsTable } from '../../records/session-cost.js'
import type { ReadView } from '../../runtime/store/store.js'
import { duePeriod, type Period } from './periods.js'

export interface DueMonth {
  readonly period: Period
  readonly progress: BillingProgress | undefined
  readonly timeZone: string
}

/** The month to close now, if there is one; two or three reads. */
export function dueMonth(view: ReadView, organization: Organization, now: number): DueMonth | undefined {
  const { organization_id, time_zone: timeZone = defaultTimeZone } = organization
  const progress = view.get(billingProgressTable, [organization_id])
  const closed = progress && { through: progress.closed_through, until: progress.closed_until }
  const firstEnd = closed === undefined ? firstEndOf(view, organization_id) : undefined
  const period = duePeriod(closed, firstEnd, timeZone, now)
  return period && { period, progress, timeZone }
}

function firstEndOf(view: ReadView, organizationId: string): number | undefined {
  const first = view.listBy(sessionCostsTable, 'byEnd', [organizationId], { limit: 1 })[0]
  return first && Date.parse(first.ended_at)
}
