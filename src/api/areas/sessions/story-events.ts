// What the organization's events say of a session's charge point while it charged. Events have no list for each charge point, so those
// of the time are read, up to a bound, in steps between which other requests go on.

import type { Session } from '../../../records/session.js'
import { eventsAfter, type OutboxRow, oldestPlace, placeBefore, timeOfEvent } from '../../../runtime/actor/outbox.js'
import { limits as runtimeLimits } from '../../../runtime/limits.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { longOncePaused } from '../../pipeline/long-reads.js'
import type { Long } from '../../pipeline/paging.js'
import { limits } from './limits.js'
import { type StoryEntry, statusTitle } from './story.js'
import type { StoryPeriod } from './story-period.js'

const sameStatusMs = 1_500

function timeIn(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(at) ? at : undefined
}

/** Undefined for an event that says nothing of this session. */
function entryOf(row: OutboxRow, session: Session): StoryEntry | undefined {
  const { id: reference, event: name, data } = row
  if ((data.charge_point_id ?? row.subject) !== session.charge_point_id) return undefined
  const entry = (title: string, at: unknown = undefined, detail: string | null = null): StoryEntry => ({
    at: timeIn(at) ?? timeOfEvent(row),
    source: 'event',
    name,
    title,
    detail,
    reference,
  })
  const ofConnector = data.connector_id === session.connector_id || data.connector_id === 0
  switch (name) {
    case 'charge_point.connected':
      return entry('The charge point connected', data.connected_at)
    case 'charge_point.disconnected':
      return entry('The charge point disconnected', data.disconnected_at, `Close code ${String(data.code)}`)
    case 'charge_point.status_changed':
      return ofConnector ? entry(statusTitle(String(data.status)), data.timestamp, String(data.status)) : undefined
    case 'charge_point.fault':
      return ofConnector
        ? entry(`The charge point reported the error ${String(data.error_code)}`, data.timestamp, textOrNull(data.info))
        : undefined
    case 'session.authorized':
      return data.id_tag === session.id_tag
        ? entry('The driver was authorized', undefined, `By ${String(data.authorization_method)}`)
        : undefined
    default:
      return undefined
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Whether the session has stored the same change of status itself. */
function isTold(session: Session, { name, at, detail }: StoryEntry): boolean {
  if (name !== 'charge_point.status_changed') return false
  return (session.statuses ?? []).some((one) => one.status === detail && Math.abs(one.at - at) <= sameStatusMs)
}

/** `complete` is false where events of the time are no longer kept, or are too many to be read. */
export async function storyEvents(
  { view, begin }: { readonly view: ReadView } & Long,
  session: Session,
  { ownFrom: from, ownTo: to }: StoryPeriod,
): Promise<{ readonly entries: readonly StoryEntry[]; readonly complete: boolean }> {
  const { organization_id } = session
  const oldest = oldestPlace(view, organization_id)
  let place = placeBefore(from)
  const isKept = place >= oldest
  if (!isKept) place = oldest
  const end = placeBefore(to)
  const entries: StoryEntry[] = []
  const reading = longOncePaused(begin)
  try {
    for (let read = 0; read < limits.storyEventsRead; ) {
      const rows = eventsAfter(view, organization_id, place, runtimeLimits.rowsPerWalkStep)
      for (const row of rows) {
        place = row.id
        if (place >= end) return { entries, complete: isKept }
        const entry = entryOf(row, session)
        // What was told late may be of another time.
        if (entry === undefined || entry.at < from || entry.at >= to || isTold(session, entry)) continue
        if (entries.length >= limits.storyEntriesOfSource) return { entries, complete: false }
        entries.push(entry)
      }
      if (rows.length < runtimeLimits.rowsPerWalkStep) return { entries, complete: isKept }
      read += rows.length
      if (reading.isOver()) await reading.pause()
    }
    return { entries, complete: false }
  } finally {
    reading.end()
  }
}
