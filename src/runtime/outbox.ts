// Events, written in the same commit as the state that they tell of; deliverers read them from here, in order.

import type { DomainEvent } from './actor.js'
import { timeOfId } from './ids.js'
import type { ReadView } from './store.js'
import { defineTable } from './table.js'

const outboxRetentionMs = 30 * 24 * 3_600_000

export interface OutboxRow extends DomainEvent {
  /** `evt_` and a ULID that grows strictly within a shard, so events of one subject sort as they happened. */
  readonly id: string
}

/** Where the ids of a thread that makes events begin: behind those of its predecessor, whose clock may have been ahead. */
export function newestEventId(view: ReadView): string | undefined {
  return view.list(outboxTable, [], { reverse: true, limit: 1 })[0]?.id
}

export const outboxTable = defineTable<OutboxRow>({
  name: 'outbox',
  key: (row) => [row.id],
  retention: { timeOf: (row) => timeOfId(row.id), milliseconds: outboxRetentionMs },
})
