// Version 2 found unbilled sessions by the time of their pricing. From now on each session with a price that is on no invoice, or that has
// changed since, has a row that says so; sessions that an earlier version has passed over are on the next invoice.

import { addAmounts, newSums, pricedAmounts, takeAmounts } from '../../pricing/cost-sums.js'
import { defineMigrationStep } from '../../runtime/store/storage/migrate.js'
import type { ReadView } from '../../runtime/store/store.js'
import { billingProgressTable, invoiceItemsTable } from '../invoice.js'
import { type SessionCost, sessionCostsTable, unbilledSession, unbilledSessionsTable } from '../session-cost.js'

export const unbilledSessionsAreListed = defineMigrationStep<SessionCost>(
  sessionCostsTable,
  (stored, { view, put }) => {
    const cost = stored as SessionCost
    if (!isBilled(cost, view)) put(unbilledSessionsTable, unbilledSession(cost, Date.parse(cost.priced_at)))
    return cost
  },
)

/** Items of a month that was not finished are taken away when it is closed. */
function isBilled({ session_id, organization_id, priced }: SessionCost, view: ReadView): boolean {
  const closedThrough = view.get(billingProgressTable, [organization_id])?.closed_through ?? ''
  const items = view
    .listBy(invoiceItemsTable, 'bySession', [session_id])
    .filter(({ month, currency }) => month <= closedThrough && currency === priced.currency)
  if (items.length === 0) return false
  const left = newSums()
  addAmounts(left, pricedAmounts(priced))
  for (const item of items) takeAmounts(left, item)
  return [left.energy, left.subtotal, left.adjustments, left.tax, left.total].every((sum) => sum === 0n)
}
