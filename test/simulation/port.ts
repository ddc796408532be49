// Two ends of a link between simulated threads, with the part of a MessagePort's interface that the runtime uses.
// A link keeps its order and loses nothing while both ends live, as a real one does; what it carries takes its time.

import type { MessagePort } from 'node:worker_threads'
import type { SimulatedThread, SimulatedTime } from './time.js'

export interface LinkOptions {
  readonly time: SimulatedTime
  /** How long the next message is on its way, ms. */
  readonly delay: () => number
  /** What is sent in place of `message`; `later` sends more. The sender may die in it, and nothing is sent. */
  readonly sending: (message: unknown, from: SimulatedThread, later: Later) => unknown
  /** Whether taking this message may settle promises. */
  readonly settles: (message: unknown) => boolean
  /** The message is on its way; the sender may die in it. */
  readonly sent: (from: SimulatedThread) => void
}

export type Later = (message: unknown, delayMs: number) => void

type Listener = (message: unknown) => void

export interface LinkEnds {
  /** The end that `from` holds. */
  readonly near: MessagePort
  readonly far: MessagePort
}

export function createLink(options: LinkOptions, from: SimulatedThread, to: SimulatedThread): LinkEnds {
  const near = createEnd(options, from, to)
  const far = createEnd(options, to, from)
  near.join(far)
  far.join(near)
  return { near: near.port, far: far.port }
}

interface End {
  readonly port: MessagePort
  join(other: End): void
  arrive(message: unknown): void
}

function createEnd(
  { time, delay, sending, settles, sent }: LinkOptions,
  owner: SimulatedThread,
  peer: SimulatedThread,
): End {
  let other: End
  let listener: Listener | undefined
  let closed = false
  let arrivesAt = 0
  const backlog: unknown[] = []

  function arrive(message: unknown, delayMs: number): void {
    const take = (): void => other.arrive(message)
    if (settles(message)) time.settleAfter(delayMs, peer, take)
    else time.after(delayMs, peer, take)
  }

  const port = {
    postMessage(message: unknown) {
      if (closed) return
      const going = sending(message, owner, arrive)
      // Later messages never overtake earlier ones.
      arrivesAt = Math.max(arrivesAt, time.monotonic() + delay())
      arrive(going, arrivesAt - time.monotonic())
      sent(owner)
    },
    on(_event: 'message', heard: Listener) {
      listener = heard
      if (backlog.length > 0)
        time.settleAfter(0, owner, () => {
          for (const message of backlog.splice(0)) heard(message)
        })
    },
    close() {
      closed = true
    },
  }
  return {
    port: port as unknown as MessagePort,
    join(joined) {
      other = joined
    },
    arrive(message) {
      if (closed) return
      if (listener === undefined) backlog.push(message)
      else listener(message)
    },
  }
}
