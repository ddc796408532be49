// How often something may be attempted without a credential, such as logging in or signing up. A throttle is declared where it is used;
// its buckets are in memory, so that each front counts what reaches it, and a restart begins anew.

import type { Clock } from '../../runtime/clock.js'
import type { AmpshardError } from '../../runtime/errors.js'
import { createTokenBuckets, type Rate, type TokenBuckets } from '../../runtime/token-bucket.js'
import { limits } from './limits.js'

/** Of each key, such as an address. */
export type Throttle = Rate

export interface Throttles {
  of(throttle: Throttle): TokenBuckets
}

export function createThrottles(clock: Clock): Throttles {
  const buckets = new Map<Throttle, TokenBuckets>()
  return {
    of(throttle) {
      const known = buckets.get(throttle) ?? createTokenBuckets(throttle, clock, limits.throttledKeys)
      buckets.set(throttle, known)
      return known
    },
  }
}

/** Takes one of each; throws what `otherwise` makes, with the time to wait, and takes none where one has none. */
export function takeOfEach(
  throttles: Throttles,
  wanted: readonly (readonly [Throttle, string])[],
  otherwise: (extras: { readonly retryAfterSeconds: number }) => AmpshardError,
): void {
  const taken: (() => void)[] = []
  for (const [throttle, key] of wanted) {
    const buckets = throttles.of(throttle)
    if (buckets.take(key)) {
      taken.push(() => buckets.giveBack(key, 1))
      continue
    }
    for (const giveBack of taken) giveBack()
    throw otherwise({ retryAfterSeconds: Math.max(1, Math.ceil(buckets.secondsUntil(key))) })
  }
}
