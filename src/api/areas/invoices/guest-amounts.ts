// What guests paid over a period: the sums of their payments, a currency at a time, for reports. What their charges cost is with all others.

import { Type } from 'typebox'
import { balanceOf, costMinorOf } from '../../../actors/guest-session/balance.js'
import { amountOf, minorUnitsOf } from '../../../pricing/money.js'
import { type GuestSession, guestSessionsTable } from '../../../records/guest-session.js'
import { sessionsTable } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { type Long, walkList } from '../../pipeline/paging.js'

export const guestAmountsSchema = Type.Array(
  Type.Object({
    currency: Type.String(),
    count: Type.Integer({ description: 'The number of guest sessions.' }),
    cost: Type.Number({ description: 'What they cost, which is part of the total of all sessions.' }),
    captured_amount: Type.Number(),
    refunded_amount: Type.Number(),
    written_off_amount: Type.Number({ description: 'The part of the cost that is unpaid and will not be collected.' }),
  }),
  {
    description: 'What guests whose charges ended in the period have paid so far, one entry for each currency.',
  },
)

/** In minor units. */
interface Sums {
  count: number
  cost: number
  captured: number
  refunded: number
  writtenOff: number
}

const zero: Readonly<Sums> = { count: 0, cost: 0, captured: 0, refunded: 0, writtenOff: 0 }

/** Of the charges of guests that ended from `from` (inclusive) to `to` (exclusive), wall ms; with a site, of those there. */
export async function guestAmounts(
  { view, begin }: { readonly view: ReadView } & Long,
  organizationId: string,
  from: number,
  to: number,
  siteId?: string,
) {
  const byCurrency = new Map<string, Sums>()
  const sumsOf = (currency: string): Sums => {
    const sums = byCurrency.get(currency) ?? { ...zero }
    byCurrency.set(currency, sums)
    return sums
  }
  const list = { index: 'byEnd', group: [organizationId] }
  const between = { from: [from], to: [to] }
  for await (const rows of walkList({ view, begin, table: guestSessionsTable, list, between, newestFirst: true }))
    for (const row of rows) if (siteId === undefined || startedAt(row, siteId, view)) add(sumsOf, row)
  return [...byCurrency].sort(([one], [other]) => (one < other ? -1 : 1)).map(amountsView)
}

/** Whether the session of the guest was at the site. */
function startedAt({ session_id }: GuestSession, siteId: string, view: ReadView): boolean {
  return session_id !== undefined && view.get(sessionsTable, [session_id])?.site_id === siteId
}

/** What was set aside in one currency does not pay a cost in another: each is summed in its own. */
function add(sumsOf: (currency: string) => Sums, row: GuestSession): void {
  const { captured, refunded, writtenOff = 0 } = balanceOf(row)
  const costs = sumsOf(row.currency ?? row.payment.currency)
  costs.count++
  costs.cost += costMinorOf(row)
  costs.writtenOff += writtenOff
  const paid = sumsOf(row.payment.currency)
  paid.captured += captured
  paid.refunded += refunded
}

function amountsView([currency, { count, cost, captured, refunded, writtenOff }]: readonly [string, Sums]) {
  const units = minorUnitsOf(currency)
  return {
    currency,
    count,
    cost: amountOf(cost, units),
    captured_amount: amountOf(captured, units),
    refunded_amount: amountOf(refunded, units),
    written_off_amount: amountOf(writtenOff, units),
  }
}
