// Who may connect now: a token bucket for all, a wait for a charge point that flaps, and the overload level's word.

import type { Clock } from '../runtime/clock.js'
import { fullBucket, type Rate, takeTokens } from '../runtime/token-bucket.js'

export type Admission =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly advice: string; readonly retryAfterSeconds: number }

export interface AdmissionOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly connectsPerSecond: number
  readonly flapConnectsPerMinute: number
  readonly flapWaitSeconds: number
  readonly overloadLevel: () => number
}

export interface AdmissionControl {
  /** Asked before anything is read for the connection. */
  admit(): Admission
  /** Asked once the charge point is known. */
  admitChargePoint(chargePointId: string): Admission
  /** Forgets charge points that have been calm; call about once a minute. */
  sweep(): void
}

interface Recent {
  windowStartedAt: number
  connects: number
  waitUntil: number
}

const minuteMs = 60_000

export function createAdmission(options: AdmissionOptions): AdmissionControl {
  const { clock, connectsPerSecond } = options
  const recent = new Map<string, Recent>()
  const rate: Rate = { perSecond: connectsPerSecond, burst: connectsPerSecond }
  const bucket = fullBucket(rate, clock.monotonic())

  // Spread, so that those who were sent away do not come back at one instant.
  const spread = (seconds: number): number => Math.max(1, Math.round(seconds * (0.75 + options.random() / 2)))

  return {
    admit() {
      if (options.overloadLevel() >= 1) {
        return {
          ok: false,
          reason: 'overloaded',
          advice: 'The service is overloaded; the charge point will be taken later.',
          retryAfterSeconds: spread(20),
        }
      }
      if (!takeTokens(bucket, rate, clock.monotonic())) {
        return {
          ok: false,
          reason: 'too_many_connects',
          advice: 'Many charge points connect at once; this one will be taken later.',
          retryAfterSeconds: spread(4),
        }
      }
      return { ok: true }
    },
    admitChargePoint(chargePointId) {
      const now = clock.monotonic()
      const known = recent.get(chargePointId)
      const entry =
        known !== undefined && now - known.windowStartedAt < minuteMs
          ? known
          : { windowStartedAt: now, connects: 0, waitUntil: known?.waitUntil ?? 0 }
      recent.set(chargePointId, entry)
      if (entry.waitUntil <= now && ++entry.connects > options.flapConnectsPerMinute) {
        entry.waitUntil = now + options.flapWaitSeconds * 1000
        entry.connects = 0
      }
      if (entry.waitUntil <= now) return { ok: true }
      const advice = 'The charge point connects again and again; check its link and its power supply.'
      return { ok: false, reason: 'flapping', advice, retryAfterSeconds: Math.ceil((entry.waitUntil - now) / 1000) }
    },
    sweep() {
      const now = clock.monotonic()
      for (const [id, entry] of recent) {
        if (now - entry.windowStartedAt > minuteMs && entry.waitUntil < now) recent.delete(id)
      }
    },
  }
}
