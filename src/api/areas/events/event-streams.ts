// The event streams of one front. What is new is read and encoded once for all streams of an organization; a stream that is
// behind reads the store itself. Knows no socket: it is asked for the next part when the reader has room for it.

import type { Logger } from 'pino'
import { selects } from '../../../events/selection.js'
import { eventsAfter, hasLostEvents, newestPlace } from '../../../runtime/actor/outbox.js'
import type { Clock } from '../../../runtime/clock.js'
import { overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { StreamReader } from '../../pipeline/message.js'
import type { EventStreamSource } from '../../pipeline/services.js'
import { tooManyStreams } from './errors.js'
import { createEventTail, type EncodedEvent, type EventTail, encodeEvent, isFull } from './event-tail.js'
import { limits } from './limits.js'

export interface EventStreams extends EventStreamSource {
  /** Organizations that have new events. */
  appended(organizationIds: readonly string[]): void
  /** Once a second: signs of life, and the end of streams whose key is no longer good. */
  tick(): void
  /** Ends them all, after what they are told now. */
  end(): void
  statistics(): EventStreamStatistics
}

export interface EventStreamStatistics {
  readonly open: number
  readonly opened: number
  /** Events told, once for each stream. */
  readonly events: number
}

const heartbeatMs = 15_000
/** How old the answer may be that a key is good: asking it for every part would cost more than the part. */
const allowedForMs = 50
const retryMs = 2_000
/** A comment: readers of event streams pass over it. */
const filler = ':\n\n'

interface Stream {
  readonly organizationId: string
  readonly wanted: (event: string) => boolean
  /** Streams with the same one are told the same. */
  readonly selection: string
  readonly isAllowed: () => boolean
  readonly wake: () => void
  /** Everything up to here has been told, or is not wanted. */
  place: string
  /** The id that its reader would resume from. */
  toldPlace: string | undefined
  toldAt: number
  checkedAt: number
  isDue: boolean
}

interface Followed {
  readonly tail: EventTail
  readonly streams: Set<Stream>
}

interface Part {
  readonly bytes: Uint8Array
  readonly events: number
  /** Of the last event in it. */
  readonly told: string | undefined
  readonly place: string
}

export interface EventStreamsOptions {
  readonly view: () => ReadView
  readonly clock: Clock
  readonly log?: Pick<Logger, 'error'>
}

export function createEventStreams({ view, clock, log }: EventStreamsOptions): EventStreams {
  const followed = new Map<string, Followed>()
  let open = 0
  let opened = 0
  let events = 0
  let ending = false

  function demandRoom(organizationId: string): void {
    if (open >= limits.eventStreams) throw overloaded('too many event streams are open; try again later')
    const own = followed.get(organizationId)?.streams.size ?? 0
    if (own >= limits.eventStreamsPerOrganization)
      throw tooManyStreams(`the organization has ${own} event streams open already`)
  }

  function follow(stream: Stream): Followed {
    const { organizationId } = stream
    const known = followed.get(organizationId)
    const entry = known ?? {
      tail: createEventTail(organizationId, newestPlace(view(), organizationId)),
      streams: new Set(),
    }
    if (known === undefined) followed.set(organizationId, entry)
    entry.streams.add(stream)
    open++
    opened++
    return entry
  }

  function forget(stream: Stream): void {
    const entry = followed.get(stream.organizationId)
    if (entry?.streams.delete(stream) !== true) return
    open--
    if (entry.streams.size === 0) followed.delete(stream.organizationId)
  }

  function isAllowed(stream: Stream): boolean {
    const now = clock.monotonic()
    if (now - stream.checkedAt < allowedForMs) return true
    stream.checkedAt = now
    return stream.isAllowed()
  }

  /** What comes after the stream's place; undefined when nothing does, null when some of it is gone. */
  function nextPart(stream: Stream, tail: EventTail): Part | undefined | null {
    const shared = tail.after(stream.place, view())
    if (shared !== undefined) return tail.share(stream.place, stream.selection, () => partOf(stream, shared))
    if (hasLostEvents(view(), stream.organizationId, stream.place)) return null
    const rows = eventsAfter(view(), stream.organizationId, stream.place, limits.streamedEventsPerRead)
    return partOf(stream, rows.map(encodeEvent))
  }

  function partOf(stream: Stream, following: readonly EncodedEvent[]): Part | undefined {
    let text = ''
    let count = 0
    let told: string | undefined
    let place = stream.place
    for (const event of following) {
      if (text !== '' && isFull(text)) break
      place = event.id
      if (!stream.wanted(event.name)) continue
      text += event.text
      told = event.id
      count++
    }
    return following.length === 0 ? undefined : { bytes: Buffer.from(text), events: count, told, place }
  }

  function read(stream: Stream, tail: EventTail): Uint8Array | undefined | null {
    if (ending || !isAllowed(stream)) return null
    if (stream.toldPlace === undefined) return note(stream, `retry: ${retryMs}\nid: ${stream.place}\n\n`)
    const part = nextPart(stream, tail)
    if (part === null) return null
    if (part === undefined) return stream.isDue ? note(stream, signOfLife(stream)) : undefined
    stream.place = part.place
    // There may be more behind what this stream does not want.
    if (part.told === undefined) {
      stream.wake()
      return stream.isDue ? note(stream, signOfLife(stream)) : undefined
    }
    stream.toldPlace = part.told
    events += part.events
    return told(stream, part.bytes)
  }

  /** No one else is to blame for a stream that cannot be read: it ends, and its reader comes again from its place. */
  function readOrEnd(stream: Stream, tail: EventTail): Uint8Array | undefined | null {
    try {
      return read(stream, tail)
    } catch (error) {
      log?.error({ err: error, organization: stream.organizationId }, 'an event stream could not be read and was ended')
      return null
    }
  }

  function note(stream: Stream, text: string): Uint8Array {
    stream.toldPlace = stream.place
    return told(stream, Buffer.from(text))
  }

  function told(stream: Stream, bytes: Uint8Array): Uint8Array {
    stream.toldAt = clock.monotonic()
    stream.isDue = false
    return bytes
  }

  return {
    stream({ organizationId, after, types, isAllowed: allowed }) {
      demandRoom(organizationId)
      return {
        filler,
        open(wake): StreamReader {
          const stream: Stream = {
            organizationId,
            wanted: selects(types),
            selection: types?.join() ?? '',
            isAllowed: allowed,
            wake,
            place: after ?? newestPlace(view(), organizationId),
            toldPlace: undefined,
            toldAt: clock.monotonic(),
            checkedAt: clock.monotonic(),
            isDue: false,
          }
          const { tail } = follow(stream)
          return { read: () => readOrEnd(stream, tail), close: () => forget(stream) }
        },
      }
    },
    appended(organizationIds) {
      for (const id of organizationIds) {
        const entry = followed.get(id)
        if (entry === undefined) continue
        entry.tail.grow()
        for (const stream of entry.streams) stream.wake()
      }
    },
    tick() {
      const now = clock.monotonic()
      for (const { tail, streams } of followed.values()) {
        tail.tick()
        for (const stream of streams) {
          if (now - stream.toldAt < heartbeatMs) continue
          stream.isDue = true
          stream.wake()
        }
      }
    },
    end() {
      ending = true
      for (const { streams } of followed.values()) for (const stream of streams) stream.wake()
    },
    statistics: () => ({ open, opened, events }),
  }
}

/** With the place that its reader may resume from, where that has moved past events that it does not want. */
function signOfLife({ place, toldPlace }: Stream): string {
  return place === toldPlace ? filler : `id: ${place}\n\n`
}
