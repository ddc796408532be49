// Token buckets: how often, or how much, somebody may do something, with room for a burst.
//
// All that there is to know of a bucket is when it is full again. Where there are very many of them, each is that number, in a field of what it
// belongs to: an object of its own takes several times as much.

import type { Clock } from './clock.js'

export interface Rate {
  readonly perSecond: number
  /** What a bucket holds when it is full. */
  readonly burst: number
}

/** When a bucket is full again, monotonic ms; one that is full has been since then. */
export type FullAt = number

/** Of a token: what fractions of a millisecond may add up to. */
const rounding = 1e-3

export function tokensIn(fullAt: FullAt, { perSecond, burst }: Rate, now: number): number {
  return Math.max(0, burst - (Math.max(0, fullAt - now) * perSecond) / 1000)
}

/** Of a bucket with so many tokens now. */
export function fullAtOf(tokens: number, { perSecond, burst }: Rate, now: number): FullAt {
  return now + (Math.max(0, burst - tokens) * 1000) / perSecond
}

/** The bucket without `cost` tokens; undefined where there are fewer. */
export function afterTaking(fullAt: FullAt, rate: Rate, now: number, cost = 1): FullAt | undefined {
  if (cost > tokensIn(fullAt, rate, now) + rounding) return undefined
  return Math.max(fullAt, now) + (cost * 1000) / rate.perSecond
}

/** A bucket of its own, for those who have few. */
export interface TokenBucket {
  fullAt: FullAt
}

export function fullBucket(_rate: Rate, now: number): TokenBucket {
  return { fullAt: now }
}

/** Takes `cost` tokens; where there are fewer, takes none and returns false. */
export function takeTokens(bucket: TokenBucket, rate: Rate, now: number, cost = 1): boolean {
  const after = afterTaking(bucket.fullAt, rate, now, cost)
  if (after !== undefined) bucket.fullAt = after
  return after !== undefined
}

/** Seconds until there are `cost` tokens. */
export function secondsUntil({ fullAt }: TokenBucket, rate: Rate, now: number, cost = 1): number {
  const missing = cost - tokensIn(fullAt, rate, now)
  return missing > rounding ? missing / rate.perSecond : 0
}

export interface TokenBuckets {
  /** Takes `cost` tokens of the bucket of `key`; where there are fewer, takes none and returns false. */
  take(key: string, cost?: number): boolean
  /** Of tokens that were taken for what turned out to be another's. */
  giveBack(key: string, tokens: number): void
  secondsUntil(key: string, cost?: number): number
  /** Buckets that are kept: those that are not full, and some more. */
  readonly size: number
}

/**
 * A bucket for each key. A full bucket is like one that was never asked for, and is forgotten; when `most` are not full, the one that was asked for
 * least recently is forgotten, so that memory stays bounded whoever asks.
 */
export function createTokenBuckets(rate: Rate, clock: Clock, most: number): TokenBuckets {
  /** In the order of their last use. */
  const buckets = new Map<string, FullAt>()

  /** Two a call, so that what is forgotten keeps up with what is new. */
  function forgetSome(now: number): void {
    let looked = 0
    for (const [key, fullAt] of buckets) {
      if (fullAt > now && buckets.size <= most) return
      buckets.delete(key)
      if (++looked >= 2) return
    }
  }

  return {
    take(key, cost) {
      const now = clock.monotonic()
      const before = buckets.get(key) ?? now
      const after = afterTaking(before, rate, now, cost)
      buckets.delete(key)
      buckets.set(key, after ?? before)
      forgetSome(now)
      return after !== undefined
    },
    giveBack(key, tokens) {
      const fullAt = buckets.get(key)
      // It was forgotten: it is full.
      if (fullAt !== undefined) buckets.set(key, fullAt - (tokens * 1000) / rate.perSecond)
    },
    secondsUntil(key, cost) {
      const fullAt = buckets.get(key)
      return fullAt === undefined ? 0 : secondsUntil({ fullAt }, rate, clock.monotonic(), cost)
    },
    get size() {
      return buckets.size
    },
  }
}
