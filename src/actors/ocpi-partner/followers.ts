// Which partners are told that there are new events: those of the organization that have registered.

import { type OcpiPartner, ocpiPartnersTable } from '../../records/ocpi-partner.js'
import type { Address } from '../../runtime/actor/actor.js'
import { limits } from '../../runtime/limits.js'
import type { Followers } from '../../runtime/link/shard.js'
import type { ReadView } from '../../runtime/store/store.js'
import { after, type Key } from '../../runtime/store/table.js'
import { ocpiPartnerAddress } from './messages.js'

export function registeredPartners(view: ReadView, organizationId: string): readonly Address[] {
  return view
    .listBy(ocpiPartnersTable, 'registered', [organizationId])
    .map(({ partner_id }) => ocpiPartnerAddress(partner_id))
}

function* allRegistered(view: ReadView): Generator<Address> {
  for (let from: Key | undefined; ; ) {
    const bounds = { limit: limits.rowsPerWalkStep, ...(from !== undefined && { from }) }
    const rows: OcpiPartner[] = view.list(ocpiPartnersTable, [], bounds)
    for (const { partner_id, status } of rows) if (status === 'registered') yield ocpiPartnerAddress(partner_id)
    const last = rows.at(-1)
    if (last === undefined) return
    from = after([last.partner_id])
  }
}

export const ocpiFollowers: Followers = { of: registeredPartners, all: allRegistered }
