// The feed of an organization's events: where a reader begins, how an event is shown, and pages. A page costs the
// events that it reads; events that are no longer kept are never passed over in silence.

import { happenedAt } from '../../../events/envelope.js'
import {
  eventsAfter,
  hasLostEvents,
  newestEventId,
  type OutboxRow,
  oldestPlace,
  placeBefore,
} from '../../../runtime/actor/outbox.js'
import { timeOfId } from '../../../runtime/ids.js'
import { limits as runtimeLimits } from '../../../runtime/limits.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { longOncePaused } from '../../pipeline/long-reads.js'
import type { Long } from '../../pipeline/paging.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { parseTimestamp } from '../../pipeline/timestamp.js'
import { cursorExpired } from './errors.js'
import { limits } from './limits.js'

export interface FeedEvent {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
}

export function feedEvent(row: OutboxRow): FeedEvent {
  return { id: row.id, event: row.event, created_at: happenedAt(row), subject: row.subject, data: row.data }
}

export interface Begin {
  /** The id of the last event that the reader has had. */
  readonly cursor?: string | undefined
  /** What it is called by in a refusal. */
  readonly cursorName?: string
  /** ISO 8601; counts where there is no cursor. */
  readonly from?: string | undefined
}

/** Ids tell the time of a clock that may have been a little ahead of this one. */
const aheadMs = 60_000

/**
 * The place behind which a reader goes on; undefined where it does not say. Throws `cursor_expired` when events behind it have
 * been removed, and `validation_error` for the id of no event yet, which would hide those to come.
 */
export function placeOf(begin: Begin, view: ReadView, organizationId: string, now: number): string | undefined {
  const { cursor, cursorName = 'cursor', from } = begin
  let place: string
  if (cursor !== undefined) {
    const newest = newestEventId(view)
    if (timeOfId(cursor) > now + aheadMs && (newest === undefined || cursor > newest))
      throw invalid([{ path: cursorName, message: 'is not the id of an event' }])
    place = cursor
  } else if (from !== undefined) place = placeBefore(Math.min(parseTimestamp(from) ?? now, now))
  else return undefined
  demandKept(view, organizationId, place)
  return place
}

function demandKept(view: ReadView, organizationId: string, place: string): void {
  if (!hasLostEvents(view, organizationId, place)) return
  const oldest = new Date(timeOfId(oldestPlace(view, organizationId))).toISOString()
  throw cursorExpired(
    `events after this place, up to ${oldest}, have been removed; without a cursor, the feed begins at the oldest event that is stored`,
  )
}

export interface FeedQuery {
  readonly organizationId: string
  /** Undefined for the oldest event that is kept. */
  readonly after: string | undefined
  readonly limit: number
  readonly wanted: (event: OutboxRow) => boolean
}

export interface FeedPage {
  readonly data: readonly FeedEvent[]
  readonly next_cursor: string
  readonly has_more: boolean
}

/** Reads on until the page is full, the feed is at its end, or as much has been read as one page may. */
export async function readFeed(
  { view, begin }: { readonly view: ReadView } & Long,
  { organizationId, after, limit, wanted }: FeedQuery,
): Promise<FeedPage> {
  const data: FeedEvent[] = []
  let place = after ?? oldestPlace(view, organizationId)
  const reading = longOncePaused(begin)
  try {
    for (let read = 0; ; ) {
      // Pruning goes on between two steps.
      demandKept(view, organizationId, place)
      const rows = eventsAfter(view, organizationId, place, runtimeLimits.rowsPerWalkStep)
      for (const [at, row] of rows.entries()) {
        place = row.id
        if (wanted(row)) data.push(feedEvent(row))
        if (data.length < limit) continue
        const isLast = at === rows.length - 1 && rows.length < runtimeLimits.rowsPerWalkStep
        return { data, next_cursor: place, has_more: !isLast }
      }
      read += rows.length
      if (rows.length < runtimeLimits.rowsPerWalkStep) return { data, next_cursor: place, has_more: false }
      if (read >= limits.feedEventsPerPage) return { data, next_cursor: place, has_more: true }
      if (reading.isOver()) await reading.pause()
    }
  } finally {
    reading.end()
  }
}
