// How much of what it has sent a partner's actor may remember: what a shard has room for, in equal parts for the partners that are on it.

import { limits } from './limits.js'

export interface MemoryShares {
  /** Locations that a partner may remember, which says so now and then. `now`: monotonic ms. */
  of(partnerId: string, now: number): number
}

/** A partner that has said nothing for so long is on another shard, or has ended. */
const goneAfterMs = 60_000
const least = 100

export function createMemoryShares(): MemoryShares {
  /** When they were last here, the one that has been away for longest first. */
  const partners = new Map<string, number>()
  return {
    of(partnerId, now) {
      partners.delete(partnerId)
      partners.set(partnerId, now)
      for (const [partner, at] of partners) {
        if (now - at < goneAfterMs) break
        partners.delete(partner)
      }
      const share = Math.floor(limits.ocpiRememberedByAll / partners.size)
      return Math.max(least, Math.min(limits.ocpiRemembered, share))
    },
  }
}
