// The fleet that the browser is shown: on disk before the service starts, with charge points of which some can be connected.

import { installationTable } from '../../src/records/organization.js'
import type { StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import { writeLargeFleet } from '../client/large-fleet.js'
import { writeYesterday } from '../client/yesterday.js'

/** By their ids, they are the first of all. */
export const probeIds = Array.from({ length: 20 }, (_, at) => `A-${String(at).padStart(2, '0')}`)
export const refusedId = 'A-refused'
export const billedId = 'A-billed'
const ownIds = [...probeIds, billedId, refusedId]

/** Those of a fleet that are not a prefix and a number: the ones above, and the one of yesterday. */
export const namedChargePoints = ownIds.length + 1

export function fleetOf(count: number, faulted: number) {
  return async (store: StoreWriter, prefix: string): Promise<void> => {
    const organizationId = store.view().get(installationTable, ['installation'])?.default_organization_id
    if (organizationId === undefined) throw new Error('the store has no organization')
    // It has a charge point of its own.
    await writeYesterday(store, organizationId)
    const idOf = (at: number): string => ownIds[at] ?? `${prefix}${at - ownIds.length}`
    const run = store.bootNumber + 1
    await writeLargeFleet(store, { organizationId, count: count - 1, idOf, faulted, run, now: Date.now() })
  }
}
