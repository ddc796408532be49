// Answers whose readers take them slowly, or not at all. Each is in memory once, however many are being sent it, and together they have a bound:
// beyond it, the party that holds most of it loses its oldest connection. uWebSockets.js ends one that takes nothing for ten seconds.

import { createHolders } from './holders.js'
import { limits } from './limits.js'

export interface UnreadAnswers {
  /** `close` ends the connection. Returns what has to be called when the answer has been read, or the connection is lost. */
  hold(body: Uint8Array, party: string, close: () => void): () => void
  /** Held now. */
  readonly bytes: number
}

interface Holder {
  readonly body: Uint8Array
  readonly party: string
  readonly close: () => void
}

/** `ended`: a connection is. */
export function createUnreadAnswers(ended: () => void): UnreadAnswers {
  const holders = createHolders<Holder>((_party, own) => bytesOf(own))
  /** How many are being sent a body. */
  const readers = new Map<Uint8Array, number>()
  let sum = 0

  /**
   * Added up anew for each connection that is closed: what waits here is longer than what the system takes of an answer at once, some hundreds of
   * kilobytes, so that there are some hundreds of them, or many readers of few.
   */
  function bytesOf(own: ReadonlySet<Holder>): number {
    let bytes = 0
    for (const { body } of own) bytes += body.byteLength / (readers.get(body) ?? 1)
    return bytes
  }

  function release(holder: Holder): void {
    const { body, party } = holder
    if (!holders.remove(party, holder)) return
    const others = (readers.get(body) ?? 1) - 1
    if (others > 0) readers.set(body, others)
    else {
      readers.delete(body)
      sum -= body.byteLength
    }
  }

  function makeRoom(): void {
    while (sum > limits.unreadAnswerBytes) {
      const oldest = holders.oldestOfGreediest()
      if (oldest === undefined) return
      ended()
      release(oldest)
      oldest.close()
    }
  }

  return {
    hold(body, party, close) {
      const holder: Holder = { body, party, close }
      holders.add(party, holder)
      const others = readers.get(body) ?? 0
      readers.set(body, others + 1)
      if (others === 0) sum += body.byteLength
      makeRoom()
      return () => release(holder)
    },
    get bytes() {
      return sum
    },
  }
}
