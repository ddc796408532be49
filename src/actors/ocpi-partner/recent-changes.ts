// The newest changes of each organization, read from the feed of events once for all of its partners on this shard. A partner that is further behind
// reads the store itself. Memory of the shard alone: whatever is not here is in the store.

import { type OutboxRow, outboxTable } from '../../runtime/actor/outbox.js'
import { assert } from '../../runtime/assert.js'
import type { ReadView } from '../../runtime/store/store.js'
import { after } from '../../runtime/store/table.js'
import { changeOf, type SessionChange } from './changes.js'
import { limits } from './limits.js'
import type { PushSource } from './source.js'

export interface ReadChanges {
  readonly changes: readonly SessionChange[]
  /** The newest event that was read: the next read goes on behind it. */
  readonly place: string
  /** There may be more. */
  readonly more: boolean
}

export interface RecentChanges {
  /** What follows a place in the events of an organization, as much as one turn may read. */
  after(view: ReadView, organizationId: string, place: string): ReadChanges
}

interface Recent {
  /** Of the oldest event that is remembered: whoever is behind it or further on may read here. */
  from: string
  /** The newest event that was read. */
  seen: string
  changes: SessionChange[]
}

export function createRecentChanges(source: Pick<PushSource, 'ownerOf'>): RecentChanges {
  /** In the order of their last use. */
  const organizations = new Map<string, Recent>()
  /** Changes of all of them. */
  let all = 0

  function read(
    view: ReadView,
    organizationId: string,
    place: string,
  ): { changes: SessionChange[]; place: string; more: boolean } {
    const limit = limits.ocpiEventsPerRead
    const bounds = { from: after([place]), limit }
    const events: OutboxRow[] = view.listBy(outboxTable, 'byOrganization', [organizationId], bounds)
    const changes = events.flatMap((event) => changeOf(event, source, view) ?? [])
    return { changes, place: events.at(-1)?.id ?? place, more: events.length === limit }
  }

  function recentOf(organizationId: string, place: string): Recent {
    const recent = organizations.get(organizationId) ?? { from: place, seen: place, changes: [] }
    organizations.delete(organizationId)
    organizations.set(organizationId, recent)
    if (organizations.size > limits.ocpiRecentOrganizations) forgetUnused()
    return recent
  }

  /** The one that was used longest ago. */
  function forgetUnused(): void {
    for (const [organizationId, { changes }] of organizations) {
      organizations.delete(organizationId)
      all -= changes.length
      return
    }
  }

  /** More than a read of what is remembered goes, so that it seldom happens. */
  function forgetOldest(recent: Recent): void {
    while (all > limits.ocpiRecentEventsOfAll && organizations.size > 1) forgetUnused()
    if (recent.changes.length <= limits.ocpiRecentEvents) return
    const kept = recent.changes.slice(limits.ocpiRecentEvents >> 2)
    all -= recent.changes.length - kept.length
    recent.from = recent.changes[recent.changes.length - kept.length - 1]?.id ?? recent.from
    recent.changes = kept
  }

  return {
    after(view, organizationId, place) {
      const recent = recentOf(organizationId, place)
      if (place < recent.from) return read(view, organizationId, place)
      if (place >= recent.seen) {
        // Nobody has read further, or nobody on this shard has been here for long: what is remembered begins anew where it would have a gap.
        if (place > recent.seen) {
          all -= recent.changes.length
          Object.assign(recent, { from: place, seen: place, changes: [] })
        }
        const next = read(view, organizationId, recent.seen)
        assert(next.place >= recent.seen, 'events are read in their order', next.place, recent.seen)
        recent.changes.push(...next.changes)
        all += next.changes.length
        recent.seen = next.place
        forgetOldest(recent)
        return next
      }
      const first = firstBehind(recent.changes, place)
      const changes = recent.changes.slice(first, first + limits.ocpiEventsPerRead)
      const isAll = first + changes.length === recent.changes.length
      // Whether the store has more than has been read, only a read tells.
      return { changes, place: isAll ? recent.seen : (changes.at(-1)?.id ?? recent.seen), more: true }
    },
  }
}

/** Of changes in the order of their ids, the first behind a place. */
function firstBehind(changes: readonly SessionChange[], place: string): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((changes[middle]?.id ?? '') > place) high = middle
    else low = middle + 1
  }
  return low
}
