// Events, written in the same commit as the state that they tell of; deliverers and the feed read them from here, in order.

import type { DomainEvent } from './actor.js'
import { encodeRow } from './codec.js'
import { timeOfId } from './ids.js'
import type { Change, ReadView } from './store.js'
import { defineTable } from './table.js'

const defaultRetentionMs = 30 * 24 * 3_600_000

export interface OutboxRow extends DomainEvent {
  /** `evt_` and a ULID, given at the commit: events sort as they became durable. Empty until then. */
  readonly id: string
  /** When it happened, as its maker's clock says; ms. */
  readonly at: number
}

export const outboxTable = defineTable<OutboxRow>({
  name: 'outbox',
  key: (row) => [row.id],
  indexes: { byOrganization: (row) => [{ group: [row.organizationId] }] },
  uncounted: ['byOrganization'],
  retention: { timeOf: (row) => timeOfId(row.id), milliseconds: defaultRetentionMs },
  log: { idPrefix: 'evt', topicOf: (row) => row.organizationId },
})

/** An event as a change of the commit that it tells of. */
export function eventChange(event: DomainEvent, at: number): Change {
  const row: OutboxRow = { id: '', at, ...event }
  return { type: 'put', table: outboxTable.name, key: outboxTable.key(row), row: encodeRow(row) }
}

/** Where the ids of a thread begin: behind those of its predecessor, whose clock may have been ahead. */
export function newestEventId(view: ReadView): string | undefined {
  return view.list(outboxTable, [], { reverse: true, limit: 1 })[0]?.id
}
