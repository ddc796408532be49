// Events, written in the same commit as the state that they tell of; deliverers and the feed read them from here, in order.

import { assert } from '../assert.js'
import { encodeRow } from '../codec.js'
import { lowestIdAt, timeOfId } from '../ids.js'
import type { Change, ReadView } from '../store/store.js'
import { defineTable, type LogHorizon } from '../store/table.js'
import type { DomainEvent } from './actor.js'

const defaultRetentionMs = 30 * 24 * 3_600_000
const idPrefix = 'evt'

export interface OutboxRow extends DomainEvent {
  /** `evt_` and a ULID, given at the commit: events sort as they became durable. Empty until then. */
  readonly id: string
  /** When it happened, as its maker's clock says; ms. Rows from before ids were given at the commit have it in their id alone. */
  readonly at?: number
}

/** When an event happened, in ms. */
export function timeOfEvent({ at, id }: Pick<OutboxRow, 'at' | 'id'>): number {
  return at ?? timeOfId(id)
}

/** By organization: its newest event that is no longer kept. */
export const eventHorizonsTable = defineTable<LogHorizon>({ name: 'event_horizons', key: (row) => [row.topic] })

export const outboxTable = defineTable<OutboxRow>({
  name: 'outbox',
  key: (row) => [row.id],
  indexes: { byOrganization: (row) => [{ group: [row.organizationId] }] },
  uncounted: ['byOrganization'],
  retention: { timeOf: (row) => timeOfId(row.id), milliseconds: defaultRetentionMs },
  log: { idPrefix, topics: { of: (row) => row.organizationId, horizons: eventHorizonsTable } },
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

/** A place before every event that is stored at `time` (ms) or later, in the form of an id. */
export function placeBefore(time: number): string {
  return lowestIdAt(idPrefix, time)
}

/** An organization's events behind a place, which is an id that need not be there, oldest first. */
export function eventsAfter(view: ReadView, organizationId: string, place: string, limit: number): OutboxRow[] {
  const rows = view.listBy(outboxTable, 'byOrganization', [organizationId], { from: [place], limit: limit + 1 })
  const behind = rows[0]?.id === place ? rows.slice(1) : rows.slice(0, limit)
  let last = place
  for (const { id } of behind) {
    assert(id > last, 'events are read in the order of their ids, and once', id, last)
    last = id
  }
  return behind
}

/** Behind the newest event of an organization. */
export function newestPlace(view: ReadView, organizationId: string): string {
  const [newest] = view.listBy(outboxTable, 'byOrganization', [organizationId], { reverse: true, limit: 1 })
  return newest?.id ?? oldestPlace(view, organizationId)
}

/** Before the oldest event of an organization that is kept: behind the newest that has outlived its time. */
export function oldestPlace(view: ReadView, organizationId: string): string {
  return view.get(eventHorizonsTable, [organizationId])?.id ?? placeBefore(0)
}

/** Whether events behind the place have outlived their time: who goes on from there has missed them. */
export function hasLostEvents(view: ReadView, organizationId: string, place: string): boolean {
  return place < oldestPlace(view, organizationId)
}
