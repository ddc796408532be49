// Many events at once: charge points of an organization whose connectors change their status, over and over, and what the
// store then has of it.

import { tables } from '../../src/records/index.js'
import { type OutboxRow, outboxTable } from '../../src/runtime/actor/outbox.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import { connectOcpp } from './ocpp-client.js'
import type { Organization } from './organization.js'
import type { Service } from './service.js'
import { until } from './until.js'

export interface Storm {
  readonly chargePoints: number
  /** Changes of status of each. */
  readonly changes: number
  readonly prefix?: string
  readonly organization?: Organization
}

/** Each change is one event, and each coming and going; resolves when all of them are on disk. */
export async function storm(service: Service, { chargePoints, changes, prefix = 'CP', organization }: Storm) {
  const ids = Array.from({ length: chargePoints }, (_, at) => `${prefix}-${at}`)
  for (const id of ids) await (organization ?? service).register(id)
  await Promise.all(
    ids.map(async (id) => {
      const client = await connectOcpp(`${service.ocppUrl}/${id}`)
      await client.boot()
      for (let at = 0; at < changes; at++) {
        const status = at % 2 === 0 ? 'Available' : 'Preparing'
        await client.call('StatusNotification', { connectorId: 1, status, errorCode: 'NoError' })
      }
      await client.close()
    }),
  )
  await until(async () => {
    const gone = (await storedEvents(service)).filter(({ event }) => event === 'charge_point.disconnected')
    return ids.every((id) => gone.some(({ subject }) => subject === id))
  })
}

/** Every event of the store, as a reader beside the service sees it. */
export async function storedEvents(service: Service, organizationId?: string): Promise<readonly OutboxRow[]> {
  const view = openView(service.data, tables)
  try {
    return organizationId === undefined
      ? view.list(outboxTable, [])
      : view.listBy(outboxTable, 'byOrganization', [organizationId])
  } finally {
    await view.close()
  }
}
