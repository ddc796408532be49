// When requests are handled: a few in the turn of the event loop that read them, and the others in later turns, a slice of time each, so that
// between two slices charge points have theirs. In a slice, callers that are known and strangers take turns, within both their
// parties, and within an organization its credentials: a partner or an API key with many requests makes no other wait for them.
//
// A request that waits also bounds what one connection can bring: uWebSockets.js closes a connection that sends a request before the one before
// it has been answered, without calling anybody.

import type { Clock } from '../../runtime/clock.js'
import { createFairLines } from '../../runtime/thread/fair-lines.js'
import { limits } from './limits.js'

export type Lane = 'known' | 'stranger'

/** Whose request it is. */
export interface Visitor {
  readonly lane: Lane
  /** An organization, or the network of an address. */
  readonly party: string
  /** The partner or API key, if several share the turn of a party. */
  readonly credential?: string
}

export interface Turns {
  /** Whether it may be handled at once, within the turn that has read it. */
  isFree(visitor: Visitor): boolean
  /** Handles it in a later turn. False where as many wait as may, of its credential, of its party or of its lane. */
  wait(visitor: Visitor, work: () => void): boolean
}

export function createTurns(clock: Pick<Clock, 'monotonic'>, later: (run: () => void) => void): Turns {
  const lanes = {
    known: createFairLines<() => void>({
      waitingPerOwner: limits.waitingRequestsPerOrganization,
      waitingPerMember: limits.waitingRequestsPerCredential,
      waiting: limits.waitingRequests,
    }),
    stranger: createFairLines<() => void>({
      waitingPerOwner: limits.waitingStrangersPerAddress,
      waiting: limits.waitingStrangers,
    }),
  }
  const handled = new Map<string, number>()
  let isDue = false
  let next: Lane = 'known'

  function waiting(): number {
    return lanes.known.waiting + lanes.stranger.waiting
  }

  /** Each request by itself, so that what it goes on with at once is within its slice, too. */
  function soon(): void {
    if (isDue) return
    isDue = true
    const most = Math.max(1, Math.min(waiting(), limits.requestsPerSlice))
    let end: number | undefined
    for (let left = most; left > 0; left--)
      later(() => {
        end ??= beginTurn()
        if (waiting() > 0 && clock.monotonic() < end) take()?.()
        if (left > 1) return
        isDue = false
        if (waiting() > 0) soon()
      })
  }

  function beginTurn(): number {
    handled.clear()
    return clock.monotonic() + limits.requestSliceMs
  }

  function take(): (() => void) | undefined {
    const other = next === 'known' ? 'stranger' : 'known'
    const lane = lanes[next].waiting > 0 ? next : other
    next = lane === 'known' ? 'stranger' : 'known'
    return lanes[lane].take()?.work
  }

  return {
    isFree({ party }) {
      const before = handled.get(party) ?? 0
      if (waiting() > 0 || before >= limits.requestsPerTurn) return false
      handled.set(party, before + 1)
      soon()
      return true
    },
    wait({ lane, party, credential }, work) {
      if (!lanes[lane].add(party, work, credential)) return false
      soon()
      return true
    },
  }
}
