// The quota of each API key over the clock hour, by its organization's plan, and the headers that tell of it.
// Counts live in memory: a restart begins the hour anew.

import type { Organization } from '../../../records/organization.js'
import { limits } from '../../../runtime/limits.js'
import { rateLimitExceeded } from '../errors.js'
import type { Principal } from '../principal.js'

const hourMs = 3_600_000
/** What X-RateLimit-Limit says where no quota holds: clients read an integer there. */
const unlimited = 2_147_483_647

/** Requests an hour of each key of an organization; undefined where no quota holds. */
export function requestsPerHour(
  { plan, requests_per_hour }: Pick<Organization, 'plan' | 'requests_per_hour'>,
  enterprisePerHour: number | undefined,
): number | undefined {
  if (plan === 'enterprise') return requests_per_hour ?? enterprisePerHour
  return plan === 'pro' ? 10_000 : 1_000
}

export interface Quota {
  /** Counts the request and sets the rate headers; throws `rate_limit_exceeded` over the quota. */
  take(principal: Principal, headers: Record<string, string>): void
}

export interface QuotaOptions {
  readonly now: () => number
  readonly enterprisePerHour?: number | undefined
}

export function createQuota({ now, enterprisePerHour }: QuotaOptions): Quota {
  const counts = new Map<string, number>()
  let hour = 0

  function count(keyId: string): number {
    const taken = (counts.get(keyId) ?? 0) + 1
    if (taken === 1 && counts.size >= limits.countedKeys) counts.delete(counts.keys().next().value as string)
    counts.set(keyId, taken)
    return taken
  }

  return {
    take({ key, organization }, headers) {
      const time = now()
      const current = Math.floor(time / hourMs)
      if (current !== hour) {
        hour = current
        counts.clear()
      }
      const limit = requestsPerHour(organization, enterprisePerHour) ?? unlimited
      const taken = count(key.key_id)
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
