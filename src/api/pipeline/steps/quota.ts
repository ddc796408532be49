// The quota of each caller of a surface over the clock hour, what all callers of a group have together, and the headers that state it. Callers that
// come and go, such as keys that are deleted and created, find their group's count as it was.
// Counts live in memory: a restart begins the hour anew.

import { rateLimitExceeded } from '../errors.js'
import { limits } from '../limits.js'

const hourMs = 3_600_000
/** What X-RateLimit-Limit says where no quota holds: clients read an integer there. */
const unlimited = 2_147_483_647

export interface Counted {
  readonly caller: string
  /** Those who have so many callers' quota together; absent for a caller that is counted alone. */
  readonly group?: string
}

export interface Quota {
  /** Counts a request and sets the rate headers; throws `rate_limit_exceeded` over `perHour`, or over the group's. */
  take(counted: Counted, perHour: number | undefined, headers: Record<string, string>): void
}

export function createQuota(now: () => number): Quota {
  const ofCallers = new Map<string, number>()
  const ofGroups = new Map<string, number>()
  let hour = 0

  function count(counts: Map<string, number>, name: string): number {
    const taken = (counts.get(name) ?? 0) + 1
    if (taken === 1 && counts.size >= limits.countedKeys) counts.delete(counts.keys().next().value as string)
    counts.set(name, taken)
    return taken
  }

  return {
    take({ caller, group }, limit = unlimited, headers) {
      const time = now()
      const current = Math.floor(time / hourMs)
      if (current !== hour) {
        hour = current
        ofCallers.clear()
        ofGroups.clear()
      }
      const left = limit - count(ofCallers, caller)
      const together = limit * limits.callersOfQuota
      // What is refused to one of them costs the others nothing.
      const leftTogether = group === undefined || left < 0 ? left : together - count(ofGroups, group)
      const resetAt = (current + 1) * hourMs
      headers['X-RateLimit-Limit'] = String(limit)
      headers['X-RateLimit-Remaining'] = String(Math.max(0, Math.min(left, leftTogether)))
      headers['X-RateLimit-Reset'] = String(resetAt / 1000)
      if (left >= 0 && leftTogether >= 0) return
      const usedUp =
        left < 0
          ? `the quota of ${limit} requests an hour`
          : `what all keys of the organization have together, ${together} requests an hour,`
      throw rateLimitExceeded(`${usedUp} is used up`, {
        retryAfterSeconds: Math.max(1, Math.ceil((resetAt - time) / 1000)),
      })
    },
  }
}
