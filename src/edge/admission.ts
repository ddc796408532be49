// Who may connect now: a token bucket for all, a wait for a charge point that flaps or floods, and the overload level's word.

import type { ChargePoint } from '../records/charge-point.js'
import type { Clock } from '../runtime/clock.js'
import { fullBucket, type Rate, takeTokens } from '../runtime/token-bucket.js'
import type { RefusalReason } from './refusal-reasons.js'

export type Admission =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: RefusalReason; readonly advice: string; readonly retryAfterSeconds: number }

export interface AdmissionOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly connectsPerSecond: number
  readonly flapConnectsPerMinute: number
  readonly flapWaitSeconds: number
  readonly overloadLevel: () => number
  /** Whose charge point an id is now; undefined for nobody's. */
  readonly ownerOf: (chargePointId: string) => string | undefined
}

export interface AdmissionControl {
  /** Asked before anything is read for the connection. */
  admit(): Admission
  /** Whether a charge point of this id has to wait; asked before its password is checked or anything is counted, so that it costs little. */
  admitAgain(chargePointId: string): Admission
  /** Asked once the charge point is known. */
  admitChargePoint(chargePoint: Owned): Admission
  /** The charge point has sent more than it may: it waits before it connects again. */
  makeWait(chargePointId: string): void
  /** Forgets charge points that have been calm; call about once a minute. */
  sweep(): void
}

type Owned = Pick<ChargePoint, 'charge_point_id' | 'organization_id'>

interface Recent {
  /** Whose charge point it was then: whoever has the id next did nothing. */
  readonly owner: string | undefined
  windowStartedAt: number
  connects: number
  waitUntil: number
  /** Why it waits. */
  why: keyof typeof advices
}

const advices = {
  flapping: 'The charge point connects again and again; check its link and its power supply.',
  flooding: 'The charge point sent more than it may; it is taken again after a while.',
} as const

const minuteMs = 60_000

export function createAdmission(options: AdmissionOptions): AdmissionControl {
  const { clock, connectsPerSecond, ownerOf } = options
  const recent = new Map<string, Recent>()
  const rate: Rate = { perSecond: connectsPerSecond, burst: connectsPerSecond }
  const bucket = fullBucket(rate, clock.monotonic())

  // Spread, so that those who were sent away do not come back at one instant.
  const spread = (seconds: number): number => Math.max(1, Math.round(seconds * (0.75 + options.random() / 2)))

  function entryOf(chargePointId: string, owner: string | undefined, now: number): Recent {
    const entered = recent.get(chargePointId)
    const known = entered?.owner === owner ? entered : undefined
    if (known !== undefined && now - known.windowStartedAt < minuteMs) return known
    const { waitUntil = 0, why = 'flapping' } = known ?? {}
    const entry: Recent = { owner, windowStartedAt: now, connects: 0, waitUntil, why }
    recent.set(chargePointId, entry)
    return entry
  }

  function wait(entry: Recent, why: Recent['why'], now: number): void {
    entry.waitUntil = now + options.flapWaitSeconds * 1000
    entry.connects = 0
    entry.why = why
  }

  function waits({ waitUntil, why }: Recent, now: number): Admission {
    if (waitUntil <= now) return { ok: true }
    return { ok: false, reason: why, advice: advices[why], retryAfterSeconds: Math.ceil((waitUntil - now) / 1000) }
  }

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
    admitAgain(chargePointId) {
      const entry = recent.get(chargePointId)
      const again: Admission = entry === undefined ? { ok: true } : waits(entry, clock.monotonic())
      return again.ok || entry?.owner === ownerOf(chargePointId) ? again : { ok: true }
    },
    admitChargePoint({ charge_point_id: id, organization_id: owner }) {
      const now = clock.monotonic()
      const entry = entryOf(id, owner, now)
      if (entry.waitUntil <= now && ++entry.connects > options.flapConnectsPerMinute) wait(entry, 'flapping', now)
      return waits(entry, now)
    },
    makeWait(chargePointId) {
      const now = clock.monotonic()
      wait(entryOf(chargePointId, ownerOf(chargePointId), now), 'flooding', now)
    },
    sweep() {
      const now = clock.monotonic()
      for (const [id, entry] of recent) {
        if (now - entry.windowStartedAt > minuteMs && entry.waitUntil < now) recent.delete(id)
      }
    },
  }
}
