// The newest frames of one front, of all its charge points, in one block of memory of a fixed size: the oldest make room for the newest. Frames of
// one charge point are chained, each to the one before it, so that the last hundred cost a hundred looks. Lost with the process; nothing waits for it.

import { assert } from '../runtime/assert.js'

/** `in` and `out` are frames; `event` is what became of the connection, as JSON. */
export type RingDirection = 'in' | 'out' | 'event'

export interface RingFrame {
  /** Wall ms. */
  readonly at: number
  /** How many of its chain came before it within the millisecond. */
  readonly count: number
  readonly direction: RingDirection
  /** Cut to so many bytes as the ring keeps of one. */
  readonly text: string
  readonly cut: boolean
}

/** The frames of one charge point. */
export interface Chain {
  readonly name: string
  /** When its newest frame came, and how many came before that one within the millisecond. */
  at: number
  count: number
  /** Where its newest frame is, counted in bytes since the ring began; undefined while it has none. */
  last: number | undefined
}

export interface RingBounds {
  readonly limit: number
  /** Of their texts together; the first is read in any case. */
  readonly bytes: number
  /** Wall ms: none older. */
  readonly since: number
  /** Wall ms: none newer, but for as many as `behind`. Newer ones are passed over, which costs a look at each: as many as `passed` at most. */
  readonly until: number
  /** How many of those just behind `until` are read as well, since they may be answers to what was before it; they take a quarter of the bytes at most. */
  readonly behind: number
  readonly passed: number
}

export interface RingPart {
  /** Newest first. */
  readonly frames: readonly RingFrame[]
  /** Whether there are older ones, beyond a bound other than `since`. */
  readonly isCut: boolean
}

export interface FrameRing {
  /** At the time of the chain, which `countAt` has set. */
  add(chain: Chain, direction: RingDirection, text: string): void
  read(chain: Chain, bounds: RingBounds): RingPart
  /** Whether the chain has frames that are still there. */
  holds(chain: Chain): boolean
  /** Wall ms: what is newer is all there; of what is older, some is gone. */
  readonly completeSince: number
  readonly bytes: number
  readonly frames: number
}

export interface RingOptions {
  readonly bytes: number
  /** Of one frame. */
  readonly frameBytes: number
  readonly now: () => number
}

/** Of a record: the bytes of its text and what they are (4), how far before it the chain's last one is (4), and its time (8), with its count behind the point. */
const headBytes = 16
const lengthMask = 0x00ff_ffff
const directions: readonly RingDirection[] = ['in', 'out', 'event']
const directionShift = 24
const cutBit = 0x0800_0000
/** In the place of a length: nothing more fits before the end, the next record is at the beginning. */
const skip = 0xffff_ffff

/** Of a millisecond; later ones have the count of the last. A double has room for it behind a time until 2109. */
const countEnd = 2_048

/** The next frame of the chain is of this time, wall ms; returns its count. */
export function countAt(chain: Chain, at: number): number {
  chain.count = at === chain.at ? Math.min(chain.count + 1, countEnd - 1) : 0
  chain.at = at
  return chain.count
}

const padded = (bytes: number): number => (bytes + 7) & ~7

export function createFrameRing({ bytes, frameBytes, now }: RingOptions): FrameRing {
  const hasRoom = bytes % 8 === 0 && frameBytes <= lengthMask && headBytes + padded(frameBytes) <= bytes / 4
  assert(hasRoom, 'a ring has room for frames', bytes)
  const arena = Buffer.from(new ArrayBuffer(bytes))
  // Places are shifted without a sign: a ring may have four gibibytes.
  const words = new Uint32Array(arena.buffer)
  const times = new Float64Array(arena.buffer)
  let head = 0
  let tail = 0
  let frames = 0
  /** Nothing was there before it began; later, the time of the last record that made room. */
  let completeSince = now()

  /** Drops the oldest records until `needed` bytes behind the head are free. */
  function makeRoom(needed: number): void {
    while (head + needed - tail > bytes) {
      const at = tail % bytes
      const length = words[at >>> 2] as number
      if (length === skip) {
        tail += bytes - at
        continue
      }
      completeSince = timeAt(tail)
      tail += headBytes + padded(length & lengthMask)
      frames--
    }
  }

  /** Where a record of so many bytes at most has room in one piece. */
  function beginRecord(atMost: number): number {
    const left = bytes - (head % bytes)
    if (left < atMost) {
      makeRoom(left)
      words[(head % bytes) >>> 2] = skip
      head += left
    }
    makeRoom(atMost)
    return head % bytes
  }

  const timeAt = (position: number): number => Math.floor(times[((position % bytes) >>> 3) + 1] as number)
  const lengthAt = (position: number): number => (words[(position % bytes) >>> 2] as number) & lengthMask

  /** The one before it of the same chain. */
  function before(position: number): number | undefined {
    const distance = words[((position % bytes) >>> 2) + 1] as number
    return distance === 0 ? undefined : position - distance
  }

  function frameAt(position: number): RingFrame {
    const place = position % bytes
    const head = words[place >>> 2] as number
    const at = timeAt(position)
    return {
      at,
      count: ((times[(place >>> 3) + 1] as number) - at) * countEnd,
      direction: directions[(head >>> directionShift) & 3] as RingDirection,
      text: arena.toString('utf8', place + headBytes, place + headBytes + (head & lengthMask)),
      cut: (head & cutBit) !== 0,
    }
  }

  /** The oldest of these, newest first: they are the last, and as many as have room. */
  function oldestOf(positions: readonly number[], count: number, most: number): RingFrame[] {
    const oldest: RingFrame[] = []
    let room = most
    for (const position of positions.slice(Math.max(0, positions.length - count)).reverse()) {
      room -= lengthAt(position)
      if (room < 0) break
      oldest.unshift(frameAt(position))
    }
    return oldest
  }

  return {
    add(chain, direction, text) {
      const { at, count } = chain
      // The clock was set back: what is said from now on is all there, although it is older than what has made room.
      completeSince = Math.min(completeSince, at)
      // A character takes three bytes at most.
      const room = Math.min(padded(text.length * 3), padded(frameBytes))
      const place = beginRecord(headBytes + room)
      const written = arena.write(text, place + headBytes, Math.min(room, frameBytes), 'utf8')
      const isCut = written < text.length || (text.length * 3 > frameBytes && Buffer.byteLength(text) > written)
      const { last } = chain
      const distance = last !== undefined && last >= tail ? head - last : 0
      words[place >>> 2] = written | (directions.indexOf(direction) << directionShift) | (isCut ? cutBit : 0)
      words[(place >>> 2) + 1] = distance
      times[(place >>> 3) + 1] = at + count / countEnd
      chain.last = head
      head += headBytes + padded(written)
      frames++
    },
    read(chain, { limit, bytes: most, since, until, behind, passed }) {
      const found: RingFrame[] = []
      const newer: number[] = []
      let room = most
      for (let position = chain.last; position !== undefined && position >= tail; position = before(position)) {
        const at = timeAt(position)
        if (at < since) break
        if (at > until) {
          if (newer.push(position) > passed) return { frames: [], isCut: true }
          continue
        }
        room -= lengthAt(position)
        if (found.length >= limit || (room < 0 && found.length > 0))
          return { frames: [...oldestOf(newer, behind, most / 4), ...found], isCut: true }
        found.push(frameAt(position))
      }
      return { frames: [...oldestOf(newer, behind, most / 4), ...found], isCut: false }
    },
    holds: ({ last }) => last !== undefined && last >= tail,
    get completeSince() {
      return completeSince
    },
    get bytes() {
      return head - tail
    },
    get frames() {
      return frames
    },
  }
}
