// Which endpoints are told that there are new events: the active ones of the organization.

import { webhookEndpointsTable } from '../../records/webhook-endpoint.js'
import type { Address } from '../../runtime/actor/actor.js'
import { limits } from '../../runtime/limits.js'
import type { Followers } from '../../runtime/link/shard.js'
import type { ReadView } from '../../runtime/store/store.js'
import { after, type Key } from '../../runtime/store/table.js'
import { webhookEndpointAddress } from './messages.js'

function activeOf(view: ReadView, organizationId: string): readonly Address[] {
  return view
    .listBy(webhookEndpointsTable, 'active', [organizationId])
    .map(({ endpoint_id }) => webhookEndpointAddress(endpoint_id))
}

function* allActive(view: ReadView): Generator<Address> {
  for (let from: Key | undefined; ; ) {
    const bounds = { limit: limits.rowsPerWalkStep, ...(from !== undefined && { from }) }
    const rows = view.listBy(webhookEndpointsTable, 'active', [], bounds)
    for (const { endpoint_id } of rows) yield webhookEndpointAddress(endpoint_id)
    const last = rows.at(-1)
    if (last === undefined) return
    from = after([last.endpoint_id])
  }
}

export const webhookFollowers: Followers = { of: activeOf, all: allActive }
