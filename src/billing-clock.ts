// Tells organizations whose month is over to close it. Said again until it is done, so nothing is lost when it is not heard;
// the billing actor sees to it that nothing is done twice.

import { dueMonth } from './actors/billing/due.js'
import { type BillingMessage, billingAddress } from './actors/billing/messages.js'
import { organizationsTable } from './actors/records/organization.js'
import type { Address } from './runtime/actor.js'
import { limits } from './runtime/limits.js'
import type { ReadView } from './runtime/store.js'
import { after } from './runtime/table.js'

export interface BillingClockOptions {
  readonly view: () => ReadView
  readonly tell: (to: Address, message: BillingMessage) => void
  /** Wall time, ms. */
  readonly now: () => number
}

/** Looks at every organization once, some at a time. */
export async function tellDueOrganizations({ view, tell, now }: BillingClockOptions): Promise<void> {
  const limit = limits.rowsPerWalkStep
  for (let last: string | undefined; ; ) {
    const from = last === undefined ? {} : { from: after([last]) }
    const organizations = view().list(organizationsTable, [], { ...from, limit })
    for (const organization of organizations)
      if (dueMonth(view(), organization, now()) !== undefined)
        tell(billingAddress(organization.organization_id), { type: 'close-months' })
    last = organizations.at(-1)?.organization_id
    if (organizations.length < limit) return
    await new Promise(setImmediate)
  }
}
