// The streams of messages of one front: what charge points and the service say to each other, as requests are answered. Nothing of it is kept
// for a reader that is away or slow: what finds no room is counted, and the reader is told how much it was.

import type { RingFrame } from '../../../edge/frame-ring.js'
import type { Clock } from '../../../runtime/clock.js'
import { overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { filler, heartbeatMs, retryMs } from '../../pipeline/event-stream.js'
import type { BodyStream, StreamReader } from '../../pipeline/message.js'
import type { FrameSource, MessageStreamOptions, MessageStreamSource } from '../../pipeline/services.js'
import { tooManyStreams } from '../events/errors.js'
import type { StreamRoom } from '../events/stream-room.js'
import { limits } from './limits.js'
import { messageView, ofPair } from './message-view.js'
import { createPairing, type Pair, type Pairing } from './pairs.js'
import { isSelected, type Selection } from './selection.js'

export interface MessageStreams extends MessageStreamSource {
  /** Once a second: signs of life, requests that nobody answers, and the end of streams that are allowed no more. */
  tick(): void
  /** Ends them all. */
  end(): void
  readonly open: number
}

export interface MessageStreamsOptions {
  readonly room: StreamRoom
  readonly view: () => ReadView
  readonly frames: Pick<FrameSource, 'follow'>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
}

/** How old the answer may be that a reader is still allowed. */
const allowedForMs = 50

interface Stream extends MessageStreamOptions {
  readonly pairing: Pairing
  readonly wake: () => void
  readonly unfollow: () => void
  waiting: string
  dropped: number
  toldAt: number
  checkedAt: number
}

export function createMessageStreams({ view, frames, clock, room }: MessageStreamsOptions): MessageStreams {
  const streams = new Set<Stream>()
  let ending = false

  function demandRoom(organizationId: string, callerId: string): void {
    room.demand(organizationId, callerId)
    if (streams.size >= limits.messageStreams)
      throw overloaded('too many streams of messages are open; try again later')
    const own = [...streams].filter((stream) => stream.organizationId === organizationId).length
    if (own >= limits.messageStreamsPerOrganization)
      throw tooManyStreams(`the organization has ${own} streams of messages open already`)
  }

  function tell(stream: Stream, pairs: readonly Pair[]): void {
    const now = clock.now()
    for (const pair of pairs) {
      const message = ofPair(pair, now)
      if (!isSelected(stream.selection as Selection, message)) continue
      const text = `event: message\ndata: ${JSON.stringify(messageView(view(), stream.organizationId, message))}\n\n`
      if (stream.waiting.length + text.length > limits.waitingStreamCharacters) stream.dropped++
      else stream.waiting += text
      stream.wake()
    }
  }

  function take(stream: Stream, frame: RingFrame): void {
    try {
      tell(stream, stream.pairing.take(frame))
    } catch (error) {
      // Whoever hands frames on logs it; the reader is told that one is missing, and reads again.
      stream.dropped++
      stream.wake()
      throw error
    }
  }

  function isAllowed(stream: Stream): boolean {
    const now = clock.monotonic()
    if (now - stream.checkedAt < allowedForMs) return true
    stream.checkedAt = now
    return stream.isAllowed()
  }

  function read(stream: Stream): Uint8Array | undefined | null {
    if (ending || !isAllowed(stream)) return null
    if (stream.waiting === '' && stream.dropped === 0) {
      if (clock.monotonic() - stream.toldAt < heartbeatMs) return undefined
      return told(stream, filler)
    }
    const { waiting, dropped } = stream
    stream.waiting = ''
    stream.dropped = 0
    return told(stream, dropped === 0 ? waiting : `${waiting}event: dropped\ndata: {"count":${dropped}}\n\n`)
  }

  function told(stream: Stream, text: string): Uint8Array {
    stream.toldAt = clock.monotonic()
    return Buffer.from(text)
  }

  return {
    stream(options): BodyStream {
      demandRoom(options.organizationId, options.callerId)
      return {
        filler,
        open(wake): StreamReader {
          const stream: Stream = {
            ...options,
            pairing: createPairing(limits.unansweredInMemory),
            wake,
            unfollow: frames.follow(options.name, (frame) => take(stream, frame)),
            waiting: `retry: ${retryMs}\n\n`,
            dropped: 0,
            toldAt: clock.monotonic(),
            checkedAt: Number.NEGATIVE_INFINITY,
          }
          streams.add(stream)
          const leave = room.take(options.organizationId, options.callerId)
          return {
            read: () => read(stream),
            close() {
              stream.unfollow()
              leave()
              streams.delete(stream)
            },
          }
        },
      }
    },
    tick() {
      for (const stream of streams) {
        tell(stream, stream.pairing.unanswered(clock.now() - limits.unansweredAfterMs))
        stream.wake()
      }
    },
    end() {
      ending = true
      for (const stream of streams) stream.wake()
    },
    get open() {
      return streams.size
    },
  }
}
