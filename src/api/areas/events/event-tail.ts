// The newest events of one organization, encoded once for all its streams on a front. Bounded: who is behind what it holds
// reads the store. Every event between its first and its newest is in it.

import { eventsAfter, type OutboxRow } from '../../../runtime/actor/outbox.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { feedEvent } from './event-feed.js'
import { type EventPlace, placeOfEvent } from './events-of-site.js'
import { limits } from './limits.js'

export interface EncodedEvent {
  readonly id: string
  readonly name: string
  readonly place: EventPlace
  /** As it is sent. */
  readonly text: string
}

export interface EventTail {
  /** There are new events in the store. */
  grow(): void
  /** The events behind a place, some at a time; undefined when the tail does not reach back to it. */
  after(place: string, view: ReadView): readonly EncodedEvent[] | undefined
  /** What `make` makes of the events behind a place, made once for all that ask alike. */
  share<Made>(place: string, selection: string, make: () => Made): Made
  /** Once a second: lets go of what was there at the last tick. */
  tick(): void
}

export function encodeEvent(row: OutboxRow): EncodedEvent {
  const text = `id: ${row.id}\nevent: ${row.event}\ndata: ${JSON.stringify(feedEvent(row))}\n\n`
  return { id: row.id, name: row.event, place: placeOfEvent(row), text }
}

export const isFull = (text: string): boolean => text.length >= limits.streamedCharactersPerPart

/** `newest` is the place behind the newest event now. */
export function createEventTail(organizationId: string, newest: string): EventTail {
  let from = newest
  let entries: EncodedEvent[] = []
  let characters = 0
  /** How many of them were there at the last tick. */
  let old = 0
  let isBehind = true
  const shared = new Map<string, unknown>()

  const newestId = (): string => entries.at(-1)?.id ?? from

  function drop(count: number): void {
    if (count <= 0) return
    const dropped = entries.slice(0, count)
    entries = entries.slice(count)
    for (const { id, text } of dropped) {
      from = id
      characters -= text.length
    }
    old = Math.max(0, old - count)
  }

  function readOn(view: ReadView): void {
    const rows = eventsAfter(view, organizationId, newestId(), limits.streamedEventsPerStep)
    isBehind = rows.length === limits.streamedEventsPerStep
    if (rows.length === 0) return
    shared.clear()
    for (const row of rows) {
      const entry = encodeEvent(row)
      entries.push(entry)
      characters += entry.text.length
    }
    let over = entries.length - limits.streamTailEvents
    for (let rest = characters, at = 0; rest > limits.streamTailCharacters && at < entries.length - 1; at++) {
      rest -= (entries[at] as EncodedEvent).text.length
      over = Math.max(over, at + 1)
    }
    drop(over)
  }

  function restart(place: string): void {
    entries = []
    characters = 0
    old = 0
    from = place
    isBehind = true
    shared.clear()
  }

  /** Entries rise by id. */
  function firstAfter(place: string): number {
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((entries[middle] as EncodedEvent).id <= place) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    grow() {
      isBehind = true
    },
    after(place, view) {
      // Somebody is ahead of it: those in between read the store.
      if (place > newestId()) restart(place)
      if (isBehind && place === newestId()) readOn(view)
      if (place < from) return undefined
      return entries.slice(firstAfter(place))
    },
    share<Made>(place: string, selection: string, make: () => Made): Made {
      const name = `${place} ${selection}`
      if (shared.has(name)) return shared.get(name) as Made
      const made = make()
      if (shared.size < limits.streamTailParts) shared.set(name, made)
      return made
    },
    tick() {
      drop(old)
      old = entries.length
      shared.clear()
    },
  }
}
