// The event streams of one front. What is new is read and encoded once for all streams of an organization; a stream that is
// behind reads the store itself, when it has its turn. What all streams of an organization are told has a bound by the second, beyond
// which they fall behind. Knows no socket: it is asked for the next part when the reader has room for it.

import type { Logger } from 'pino'
import { selects } from '../../../events/selection.js'
import { eventsAfter, hasLostEvents, newestPlace } from '../../../runtime/actor/outbox.js'
import type { Clock } from '../../../runtime/clock.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { createTokenBuckets } from '../../../runtime/token-bucket.js'
import { filler, heartbeatMs, retryMs } from '../../pipeline/event-stream.js'
import type { LongRead, LongReads } from '../../pipeline/long-reads.js'
import type { StreamReader } from '../../pipeline/message.js'
import type { EventStreamSource } from '../../pipeline/services.js'
import { siteFinder } from '../charge-points/site-of.js'
import { type CatchUp, createCatchUps } from './catch-ups.js'
import { createEventTail, type EncodedEvent, type EventTail, encodeEvent, isFull } from './event-tail.js'
import { type EventPlace, isOfSite, placeOfEvent } from './events-of-site.js'
import { limits } from './limits.js'
import { createStreamRoom, type StreamRoom } from './stream-room.js'

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
  /** How often one had to wait because its organization's streams had been told as much as they may be. */
  readonly slowed: number
  /** Streams that wait for their turn to read what they have missed, or read it. */
  readonly behind: number
}

/** How old the answer may be that a key is good: asking it for every part would cost more than the part. */
const allowedForMs = 50
const nothing = new Uint8Array()

interface Stream extends CatchUp {
  readonly callerId: string
  readonly isSelected: (event: string) => boolean
  readonly siteId: string | undefined
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
  /** Waits for its turn to read what it has missed, or reads it. */
  isCatchingUp: boolean
  /** What it has read of that, until it is told: null where some of it is gone. */
  missed: Part | undefined | null
}

interface Followed {
  readonly tail: EventTail
  readonly streams: Set<Stream>
  /** Those that wait for the next second, in the order of their turns. */
  readonly slowed: Set<Stream>
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
  readonly longReads: Pick<LongReads, 'of'>
  readonly clock: Clock
  readonly log?: Pick<Logger, 'error'>
  /** Shared with streams of other things. */
  readonly room?: StreamRoom
}

export function createEventStreams({
  view,
  longReads,
  clock,
  log,
  room = createStreamRoom(),
}: EventStreamsOptions): EventStreams {
  const followed = new Map<string, Followed>()
  const rate = { perSecond: limits.streamedBytesPerSecond, burst: limits.streamedBytesBurst }
  const budgets = createTokenBuckets(rate, clock, limits.eventStreams)
  const catchUps = createCatchUps(longReads.of)
  const releases = new Map<Stream, () => void>()
  let open = 0
  let opened = 0
  let events = 0
  let slowed = 0
  let ending = false

  function follow(stream: Stream): Followed {
    const { organizationId } = stream
    const known = followed.get(organizationId)
    const entry = known ?? {
      tail: createEventTail(organizationId, newestPlace(view(), organizationId)),
      streams: new Set(),
      slowed: new Set(),
    }
    if (known === undefined) followed.set(organizationId, entry)
    entry.streams.add(stream)
    releases.set(stream, room.take(stream.organizationId, stream.callerId))
    open++
    opened++
    return entry
  }

  function forget(stream: Stream): void {
    const entry = followed.get(stream.organizationId)
    if (entry?.streams.delete(stream) !== true) return
    open--
    releases.get(stream)?.()
    releases.delete(stream)
    entry.slowed.delete(stream)
    catchUps.remove(stream)
    if (entry.streams.size === 0) followed.delete(stream.organizationId)
  }

  function isAllowed(stream: Stream): boolean {
    const now = clock.monotonic()
    if (now - stream.checkedAt < allowedForMs) return true
    stream.checkedAt = now
    return stream.isAllowed()
  }

  /** What comes after the stream's place; undefined when nothing does or it is still being read, null when some of it is gone. */
  function nextPart(stream: Stream, tail: EventTail): Part | undefined | null {
    if (stream.isCatchingUp) return undefined
    const { missed } = stream
    stream.missed = undefined
    if (missed !== undefined) return missed
    const shared = tail.after(stream.place, view())
    if (shared !== undefined) return tail.share(stream.place, stream.selection, () => partOf(stream, shared))
    stream.isCatchingUp = true
    catchUps.add(stream)
    return undefined
  }

  async function readMissed(stream: Stream, read: LongRead): Promise<void> {
    try {
      stream.missed = await missedPart(stream, read)
    } catch (error) {
      logFailure(stream, error)
      stream.missed = null
    }
    stream.isCatchingUp = false
    if (stream.missed !== undefined) stream.wake()
  }

  /** Encodes no more than is wanted, a step at a time, so that a slice is over soon after its end. */
  async function missedPart(stream: Stream, read: LongRead): Promise<Part | undefined | null> {
    const wanted = wantedBy(stream)
    const events: EncodedEvent[] = []
    let { place } = stream
    let characters = 0
    for (let count = 0; ; ) {
      // Pruning goes on between two steps.
      if (hasLostEvents(view(), stream.organizationId, place)) return null
      const rows = eventsAfter(view(), stream.organizationId, place, limits.streamedEventsPerStep)
      for (const row of rows) {
        place = row.id
        if (!wanted(row.event, () => placeOfEvent(row))) continue
        const event = encodeEvent(row)
        events.push(event)
        characters += event.text.length
        if (characters >= limits.streamedCharactersPerPart) break
      }
      count += rows.length
      const isDone = rows.length < limits.streamedEventsPerStep || count >= limits.streamedEventsPerRead
      if (isDone || characters >= limits.streamedCharactersPerPart) break
      if (read.isOver()) await read.pause()
    }
    if (place === stream.place) return undefined
    const part = partOf(stream, events)
    return { bytes: part?.bytes ?? nothing, events: events.length, told: part?.told, place }
  }

  /** In which site a charge point is, is looked up once for each part. */
  function wantedBy({ organizationId, isSelected, siteId }: Stream) {
    const siteOf = siteFinder(view(), organizationId)
    return (event: string, place: () => EventPlace): boolean =>
      isSelected(event) && (siteId === undefined || isOfSite(place(), siteId, siteOf))
  }

  function partOf(stream: Stream, following: readonly EncodedEvent[]): Part | undefined {
    const wanted = wantedBy(stream)
    let text = ''
    let count = 0
    let told: string | undefined
    let place = stream.place
    for (const event of following) {
      if (text !== '' && isFull(text)) break
      place = event.id
      if (!wanted(event.name, () => event.place)) continue
      text += event.text
      told = event.id
      count++
    }
    return following.length === 0 ? undefined : { bytes: Buffer.from(text), events: count, told, place }
  }

  const isOutOfBudget = (organizationId: string): boolean =>
    budgets.secondsUntil(organizationId, limits.streamedBytesPerPart) > 0

  /** Streams of an organization that wait go on in turn. */
  function slow(stream: Stream, waiting: Set<Stream>): void {
    if (waiting.has(stream)) return
    waiting.add(stream)
    slowed++
  }

  function read(stream: Stream, { tail, slowed: waiting }: Followed): Uint8Array | undefined | null {
    if (ending || !isAllowed(stream)) return null
    if (stream.toldPlace === undefined) return note(stream, `retry: ${retryMs}\nid: ${stream.place}\n\n`)
    const isOut = isOutOfBudget(stream.organizationId)
    if (isOut) slow(stream, waiting)
    const part = isOut ? undefined : nextPart(stream, tail)
    if (part === null) return null
    if (part === undefined) return stream.isDue ? note(stream, signOfLife(stream)) : undefined
    stream.place = part.place
    // There may be more behind what this stream does not want.
    if (part.told === undefined) {
      stream.wake()
      return stream.isDue ? note(stream, signOfLife(stream)) : undefined
    }
    stream.toldPlace = part.told
    budgets.take(stream.organizationId, Math.min(part.bytes.length, limits.streamedBytesPerPart))
    events += part.events
    return told(stream, part.bytes)
  }

  /** No one else is to blame for a stream that cannot be read: it ends, and its reader comes again from its place. */
  function readOrEnd(stream: Stream, entry: Followed): Uint8Array | undefined | null {
    try {
      return read(stream, entry)
    } catch (error) {
      logFailure(stream, error)
      return null
    }
  }

  function logFailure({ organizationId }: Stream, error: unknown): void {
    log?.error({ err: error, organization: organizationId }, 'an event stream could not be read and was ended')
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
    stream({ organizationId, callerId, after, types, siteId, isAllowed: allowed }) {
      room.demand(organizationId, callerId)
      return {
        filler,
        open(wake): StreamReader {
          const stream: Stream = {
            organizationId,
            callerId,
            read: (read) => readMissed(stream, read),
            isSelected: selects(types),
            siteId,
            selection: `${types?.join() ?? ''} ${siteId ?? ''}`,
            isAllowed: allowed,
            wake,
            place: after ?? newestPlace(view(), organizationId),
            toldPlace: undefined,
            toldAt: clock.monotonic(),
            checkedAt: clock.monotonic(),
            isDue: false,
            isCatchingUp: false,
            missed: undefined,
          }
          const entry = follow(stream)
          return { read: () => readOrEnd(stream, entry), close: () => forget(stream) }
        },
      }
    },
    appended(organizationIds) {
      for (const id of organizationIds) {
        const entry = followed.get(id)
        if (entry === undefined) continue
        entry.tail.grow()
        for (const stream of entry.streams) if (!entry.slowed.has(stream)) stream.wake()
      }
    },
    tick() {
      const now = clock.monotonic()
      catchUps.tick()
      for (const { tail, streams, slowed: waiting } of followed.values()) {
        tail.tick()
        const next = [...waiting]
        waiting.clear()
        for (const stream of next) stream.wake()
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
    statistics() {
      let behind = 0
      for (const { streams } of followed.values()) for (const stream of streams) if (stream.isCatchingUp) behind++
      return { open, opened, events, slowed, behind }
    },
  }
}

/** With the place that its reader may resume from, where that has moved past events that it does not want. */
function signOfLife({ place, toldPlace }: Stream): string {
  return place === toldPlace ? filler : `id: ${place}\n\n`
}
