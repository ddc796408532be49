// Tells organizations whose month or week is over to invoice the one and to report the other, and issuers to number what waits. Said again until it is done, so nothing
// is lost when it is not heard; the actors see to it that nothing is done twice.

import { dueMonth } from '../actors/billing/due.js'
import { type BillingMessage, billingAddress } from '../actors/billing/messages.js'
import { type WeeklyReportMessage, weeklyReportAddress } from '../actors/weekly-report/messages.js'
import { dueWeek } from '../actors/weekly-report/weeks.js'
import { unnumberedInvoicesTable } from '../records/invoice.js'
import { type Organization, organizationsTable } from '../records/organization.js'
import type { Address } from '../runtime/actor/actor.js'
import type { ReadView } from '../runtime/store/store.js'
import { after } from '../runtime/store/table.js'
import { limits } from './limits.js'

export interface PeriodClockOptions {
  readonly view: () => ReadView
  readonly tell: (to: Address, message: BillingMessage | WeeklyReportMessage) => void
  /** Confirmed time, ms: a jump ahead closes nothing. */
  readonly now: () => number
}

/** Looks at every organization once, some at a time. */
export async function tellDueOrganizations(options: PeriodClockOptions): Promise<void> {
  const limit = limits.organizationsPerStep
  for (let last: string | undefined; ; ) {
    const from = last === undefined ? {} : { from: after([last]) }
    const organizations = options.view().list(organizationsTable, [], { ...from, limit })
    for (const organization of organizations) tellWhatIsDue(organization, options)
    last = organizations.at(-1)?.organization_id
    if (organizations.length < limit) return
    await new Promise(setImmediate)
  }
}

function tellWhatIsDue(organization: Organization, { view, tell, now }: PeriodClockOptions): void {
  const { organization_id: id } = organization
  if (dueMonth(view(), organization, now()) !== undefined) tell(billingAddress(id), { type: 'close-months' })
  if (view().list(unnumberedInvoicesTable, [id], { limit: 1 }).length > 0)
    tell(billingAddress(id), { type: 'number-invoices' })
  if (dueWeek(view(), organization, now()) !== undefined) tell(weeklyReportAddress(id), { type: 'report-week' })
}
