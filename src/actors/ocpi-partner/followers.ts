// Which partners are told that there are new events: those of the organization that have registered.

import { type OcpiPartner, ocpiPartnersTable } from '../../records/ocpi-partner.js'
import type { Address } from '../../runtime/actor/actor.js'
import type { Clock } from '../../runtime/clock.js'
import { limits } from '../../runtime/limits.js'
import type { Followers } from '../../runtime/link/shard.js'
import type { ReadView } from '../../runtime/store/store.js'
import { after, type Key } from '../../runtime/store/table.js'
import { ocpiPartnerAddress } from './messages.js'

const index = 'registered'

function registeredPartners(view: ReadView, organizationId: string): readonly Address[] {
  return view.listBy(ocpiPartnersTable, index, [organizationId]).map(({ partner_id }) => ocpiPartnerAddress(partner_id))
}

interface Registered {
  readonly partners: readonly Address[]
  readonly total: number
  /** Monotonic ms. */
  readonly readAt: number
}

/** `now`: monotonic ms. */
export type RegisteredPartners = (view: ReadView, organizationId: string, now: number) => readonly Address[]

const readEveryMs = 1_000
const rememberedOrganizations = 10_000

/**
 * The registered partners of organizations, of which there may be hundreds: whoever tells them of each commit reads them once a second, or when there are
 * more or fewer. A partner that is not told at the moment looks by itself soon.
 */
export function createRegisteredPartners(): RegisteredPartners {
  /** In the order in which they were read. */
  const known = new Map<string, Registered>()
  return (view, organizationId, now) => {
    const total = view.total(ocpiPartnersTable, index, [organizationId])
    if (total === 0) return []
    const before = known.get(organizationId)
    if (before?.total === total && now - before.readAt < readEveryMs) return before.partners
    const partners = registeredPartners(view, organizationId)
    known.delete(organizationId)
    known.set(organizationId, { partners, total, readAt: now })
    if (known.size > rememberedOrganizations) known.delete(known.keys().next().value as string)
    return partners
  }
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

export function createOcpiFollowers(clock: Pick<Clock, 'monotonic'>): Followers {
  const registered = createRegisteredPartners()
  return { of: (view, organizationId) => registered(view, organizationId, clock.monotonic()), all: allRegistered }
}
