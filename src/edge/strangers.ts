// How often connections from one address may be refused: whoever guesses ids or passwords has to wait, and learns nothing meanwhile. Only
// refusals count, so that a whole site behind one address is let in again after an outage, however many it is.

import type { Clock } from '../runtime/clock.js'
import { createTokenBuckets } from '../runtime/token-bucket.js'
import { networkOf } from './address-network.js'
import type { Admission } from './admission.js'
import { limits } from './limits.js'

export interface Strangers {
  /** Asked before anything is looked up: the answer is the same whatever is asked for. */
  admit(remoteAddress: string): Admission
  /** The address was refused something, with this status. */
  refused(remoteAddress: string, status: number): void
}

export function createStrangers(clock: Clock, refusalsPerSecond: number): Strangers {
  const rate = { perSecond: refusalsPerSecond, burst: refusalsPerSecond * limits.refusalBurstSeconds }
  const buckets = createTokenBuckets(rate, clock, limits.refusedAddresses)
  return {
    admit(remoteAddress) {
      const seconds = buckets.secondsUntil(networkOf(remoteAddress))
      if (seconds === 0) return { ok: true }
      const advice = 'Too many connections from this address were refused; this one is not looked at for a while.'
      return { ok: false, reason: 'too_many_refusals', advice, retryAfterSeconds: Math.ceil(seconds) }
    },
    refused(remoteAddress, status) {
      // Whoever is only asked to come back later has guessed nothing.
      if (status < 500) buckets.take(networkOf(remoteAddress))
    },
  }
}
