// Messages of many changed charge points: made one at a time, in slices between other work, once for all streams that are at the same place, which are woken then.

import type { Clock } from '../../../runtime/clock.js'
import { laterTurn } from '../../../runtime/thread/event-loop-turns.js'
import { limits } from './limits.js'
import type { Steps } from './steps.js'

/** Where a stream is. */
export interface Place {
  /** The number of the change that comes next. */
  readonly place: number | undefined
  /** What it would resume from. */
  readonly cursor: string
}

export interface Message {
  readonly text: string
  /** Where a stream is that was sent it. */
  readonly next: number
  readonly cursor: string
  /** Of the fleet when it was begun. */
  readonly generation: number
}

export interface LargeMessages<Stream extends Place> {
  /** Undefined where what has changed is not known any more, or is too much; `later` where the stream will be woken. */
  messageFor(stream: Stream): Message | 'later' | undefined
  tick(): void
}

export interface LargeMessagesOptions<Stream extends Place> {
  readonly organizationId: string
  /** Those that are open. */
  readonly streams: ReadonlySet<Stream>
  readonly encode: (place: Place) => Steps<Message | undefined>
  readonly clock: Clock
}

export const nameOf = ({ place, cursor }: Place): string => `${place} ${cursor}`

/** How long a message is kept for streams that have no room for it yet. */
const keptMs = 5_000

export function createLargeMessages<Stream extends Place & { readonly wake: () => void }>({
  organizationId,
  streams,
  encode,
  clock,
}: LargeMessagesOptions<Stream>): LargeMessages<Stream> {
  const made = new Map<string, { readonly message: Message | undefined; readonly at: number }>()
  /** No more than there are streams. */
  const waiting = new Map<string, Place>()
  let isMaking = false

  const at = (name: string): Stream[] => [...streams].filter((stream) => nameOf(stream) === name)

  async function make(steps: Steps<Message | undefined>): Promise<Message | undefined> {
    let ends = clock.monotonic() + limits.fleetSliceMs
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      if (clock.monotonic() < ends) continue
      await laterTurn(organizationId)
      ends = clock.monotonic() + limits.fleetSliceMs
    }
  }

  async function makeAll(): Promise<void> {
    if (isMaking) return
    isMaking = true
    for (const [name, place] of waiting) {
      await laterTurn(organizationId)
      waiting.delete(name)
      // Those that have gone meanwhile need none.
      if (at(name).length === 0) continue
      const message = await make(encode(place)).catch(() => undefined)
      made.set(name, { message, at: clock.monotonic() })
      for (const oldest of made.keys()) {
        if (made.size <= limits.keptMessages) break
        made.delete(oldest)
      }
      for (const { wake } of at(name)) wake()
    }
    isMaking = false
  }

  return {
    messageFor(stream) {
      const name = nameOf(stream)
      const known = made.get(name)
      if (known !== undefined) return known.message
      if (!waiting.has(name)) {
        waiting.set(name, { place: stream.place, cursor: stream.cursor })
        void makeAll()
      }
      return 'later'
    },
    tick() {
      for (const [name, { at }] of made) if (clock.monotonic() - at > keptMs) made.delete(name)
    },
  }
}
