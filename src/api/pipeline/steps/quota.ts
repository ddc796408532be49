// The quota of each caller of a surface over the clock hour, and the headers that state it.
// Counts live in memory: a restart begins the hour anew.

import { rateLimitExceeded } from '../errors.js'
import { limits } from '../limits.js'

const hourMs = 3_600_000
/** What X-RateLimit-Limit says where no quota holds: clients read an integer there. */
const unlimited = 2_147_483_647

export interface Quota {
  /** Counts a request of `caller` and sets the rate headers; throws `rate_limit_exceeded` over `perHour`. */
  take(caller: string, perHour: number | undefined, headers: Record<string, string>): void
}

export function createQuota(now: () => number): Quota {
  const counts = new Map<string, number>()
  let hour = 0

  function count(caller: string): number {
    const taken = (counts.get(caller) ?? 0) + 1
    if (taken === 1 && counts.size >= limits.countedKeys) counts.delete(counts.keys().next().value as string)
    counts.set(caller, taken)
    return taken
  }

  return {
    take(caller, limit = unlimited, headers) {
      const time = now()
      const current = Math.floor(time / hourMs)
      if (current !== hour) {
        hour = current
        counts.clear()
      }
      const taken = count(caller)
      const resetAt = (current + 1) * hourMs
      headers['X-RateLimit-Limit'] = String(limit)
      headers['X-RateLimit-Remaining'] = String(Math.max(0, limit - taken))
      headers['X-RateLimit-Reset'] = String(resetAt / 1000)
      if (taken <= limit) return
      throw rateLimitExceeded(`the quota of ${limit} requests an hour is used up`, {
        retryAfterSeconds: Math.max(1, Math.ceil((resetAt - time) / 1000)),
      })
    },
  }
}
