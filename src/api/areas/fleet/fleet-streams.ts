// The streams of one fleet: changed rows, totals, and the order to read the snapshot again. What streams at the same place are sent is made once. A stream is sent something
// once in a tick at most.

import type { Clock } from '../../../runtime/clock.js'
import { filler, heartbeatMs, retryMs } from '../../pipeline/event-stream.js'
import type { BodyStream, StreamReader } from '../../pipeline/message.js'
import type { FleetStreamOptions } from '../../pipeline/services.js'
import type { StreamRoom } from '../events/stream-room.js'
import { createFleetEncoder } from './encode.js'
import type { KeptFleet } from './kept-fleet.js'
import { createLargeMessages, type Message, nameOf, type Place } from './large-messages.js'
import { limits } from './limits.js'
import { atOnce, type Steps } from './steps.js'

export interface FleetStreams {
  readonly size: number
  stream(options: FleetStreamOptions): BodyStream
  /** Charge points that any of them watches. */
  watched(): Iterable<string>
  tick(): void
  end(): void
}

export interface FleetStreamsOptions {
  readonly fleet: KeptFleet
  readonly summary: () => object
  readonly clock: Clock
  readonly room: StreamRoom
}

const totalsEveryMs = 5_000

interface Stream extends Place {
  readonly options: FleetStreamOptions
  readonly wake: () => void
  /** Undefined before the fleet has been read. */
  place: number | undefined
  generation: number
  cursor: string
  /** Of the totals that it has been sent. */
  totals: number
  hasBegun: boolean
  isDue: boolean
  sentAt: number
}

export function createFleetStreams({ fleet, summary, clock, room }: FleetStreamsOptions): FleetStreams {
  const streams = new Set<Stream>()
  /** By the place that they begin at; of the changes up to now. */
  const messages = new Map<string, Message | undefined>()
  let madeAt = -1
  const larger = createLargeMessages<Stream>({ organizationId: fleet.organizationId, streams, encode, clock })
  let totals = { text: '', number: 0, at: Number.NEGATIVE_INFINITY, changes: -1 }
  let ending = false

  /** Looked at again when something has changed, and every few seconds: power changes without an event. */
  function look(): void {
    const now = clock.monotonic()
    const { next } = fleet.changes
    const wait = fleet.isInStorm ? 1_000 : totalsEveryMs
    if (next === totals.changes && now - totals.at < wait) return
    const { updated_at, ...rest } = summary() as { readonly updated_at: string }
    const text = JSON.stringify(rest)
    const isOther = text !== totals.text
    totals = { text, number: totals.number + (isOther ? 1 : 0), at: now, changes: next }
  }

  /** What is made at once, where that is little: a stream that has more before it is woken when its message has been made. */
  function messageFor(stream: Stream): Message | 'later' | undefined {
    const { next } = fleet.changes
    const name = nameOf(stream)
    if (next - (stream.place ?? 0) > limits.rowsAtOnce) return larger.messageFor(stream)
    if (madeAt !== next) messages.clear()
    madeAt = next
    if (messages.has(name)) return messages.get(name)
    const message = atOnce(encode(stream))
    if (messages.size < limits.keptMessages) messages.set(name, message)
    return message
  }

  /** Undefined where what has changed is not known any more, or is too much. */
  function* encode({ place = 0, cursor }: Place): Steps<Message | undefined> {
    const { generation } = fleet
    const changes = fleet.changes.from(place, limits.rowsPerMessage)
    if (changes === undefined) return undefined
    // As long as more is waiting, who comes again begins where this stream did.
    const told = changes.more === 0 ? fleet.cursor : cursor
    if (changes.chargePointIds.length === 0) return { text: '', next: changes.next, cursor: told, generation }
    const encoder = createFleetEncoder()
    const removed: string[] = []
    for (const [at, id] of changes.chargePointIds.entries()) {
      if (at % limits.rowsPerStep === limits.rowsPerStep - 1) {
        encoder.flush()
        yield
      }
      const row = fleet.columns.get(id)
      if (row === undefined) removed.push(id)
      else encoder.add(row)
    }
    const head = JSON.stringify({ cursor: told, removed, total: fleet.columns.size })
    const text = `id: ${told}\nevent: rows\ndata: ${head.slice(0, -1)},${encoder.text()}}\n\n`
    return { text, next: changes.next, cursor: told, generation }
  }

  function begin(stream: Stream): void {
    const { cursor } = stream.options
    stream.generation = fleet.generation
    stream.place = cursor === undefined ? fleet.changes.next : fleet.changes.after(cursor)
    stream.cursor = cursor ?? fleet.cursor
  }

  function reload(stream: Stream): string {
    stream.place = fleet.changes.next
    stream.generation = fleet.generation
    stream.cursor = fleet.cursor
    return `id: ${stream.cursor}\nevent: reload\ndata: {}\n\n`
  }

  function rowsFor(stream: Stream): string {
    if (stream.place === undefined || stream.generation !== fleet.generation) return reload(stream)
    const message = messageFor(stream)
    if (message === 'later') {
      stream.isDue = true
      return ''
    }
    // Read anew while it was made: what it tells may be less than what has changed.
    if (message === undefined || message.generation !== fleet.generation) return reload(stream)
    stream.place = message.next
    stream.cursor = message.cursor
    return message.text
  }

  function totalsFor(stream: Stream): string {
    if (totals.text === '' || stream.totals === totals.number) return ''
    stream.totals = totals.number
    return `event: totals\ndata: ${totals.text}\n\n`
  }

  function signOfLife(stream: Stream): string {
    return clock.monotonic() - stream.sentAt >= heartbeatMs ? filler : ''
  }

  function read(stream: Stream): Uint8Array | undefined | null {
    if (ending || !stream.isDue) return ending ? null : undefined
    stream.isDue = false
    if (!stream.options.isAllowed()) return null
    let text = stream.hasBegun ? '' : `retry: ${retryMs}\n\n`
    stream.hasBegun = true
    if (fleet.isReady) {
      const isFirst = stream.place === undefined && stream.generation === -1
      if (isFirst) begin(stream)
      text += rowsFor(stream) + totalsFor(stream)
    }
    if (text === '') text = signOfLife(stream)
    if (text === '') return undefined
    stream.sentAt = clock.monotonic()
    return Buffer.from(text)
  }

  return {
    get size() {
      return streams.size
    },
    stream(options) {
      return {
        filler,
        open(wake): StreamReader {
          const stream: Stream = {
            options,
            wake,
            place: undefined,
            generation: -1,
            cursor: options.cursor ?? fleet.cursor,
            totals: -1,
            hasBegun: false,
            isDue: true,
            sentAt: clock.monotonic(),
          }
          const release = room.take(options.organizationId, options.callerId)
          streams.add(stream)
          return {
            read: () => read(stream),
            close() {
              streams.delete(stream)
              release()
            },
          }
        },
      }
    },
    *watched() {
      const seen = new Set<string>()
      for (const { options } of streams)
        for (const id of options.watch) {
          if (seen.size >= limits.watchedPerFleet) return
          if (seen.has(id)) continue
          seen.add(id)
          yield id
        }
    },
    tick() {
      larger.tick()
      if (streams.size === 0) return
      look()
      for (const stream of streams) {
        stream.isDue = true
        stream.wake()
      }
    },
    end() {
      ending = true
      for (const stream of streams) stream.wake()
    },
  }
}
