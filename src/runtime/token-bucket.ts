// Token buckets: how often, or how much, somebody may do something, with room for a burst.

import type { Clock } from './clock.js'

export interface Rate {
  readonly perSecond: number
  /** What a bucket holds when it is full. */
  readonly burst: number
}

/** Plain data, so that the many sockets of a front need no closure each. */
export interface TokenBucket {
  tokens: number
  /** Monotonic ms. */
  refilledAt: number
}

export function fullBucket({ burst }: Rate, now: number): TokenBucket {
  return { tokens: burst, refilledAt: now }
}

/** Takes `cost` tokens; where there are fewer, takes none and returns false. */
export function takeTokens(bucket: TokenBucket, rate: Rate, now: number, cost = 1): boolean {
  refill(bucket, rate, now)
  if (bucket.tokens < cost) return false
  bucket.tokens -= cost
  return true
}

/** Seconds until there are `cost` tokens. */
export function secondsUntil(bucket: TokenBucket, rate: Rate, cost = 1): number {
  return Math.max(0, (cost - bucket.tokens) / rate.perSecond)
}

/** What has grown back until now. */
export function refill(bucket: TokenBucket, { perSecond, burst }: Rate, now: number): void {
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.refilledAt) * perSecond) / 1000)
  bucket.refilledAt = now
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
  const buckets = new Map<string, TokenBucket>()

  function bucketOf(key: string, now: number): TokenBucket {
    const bucket = buckets.get(key) ?? fullBucket(rate, now)
    buckets.delete(key)
    buckets.set(key, bucket)
    return bucket
  }

  /** Two a call, so that what is forgotten keeps up with what is new. */
  function forgetSome(now: number): void {
    let looked = 0
    for (const [key, bucket] of buckets) {
      const isFull = bucket.tokens + ((now - bucket.refilledAt) * rate.perSecond) / 1000 >= rate.burst
      if (!isFull && buckets.size <= most) return
      buckets.delete(key)
      if (++looked >= 2) return
    }
  }

  return {
    take(key, cost) {
      const now = clock.monotonic()
      const taken = takeTokens(bucketOf(key, now), rate, now, cost)
      forgetSome(now)
      return taken
    },
    giveBack(key, tokens) {
      const bucket = buckets.get(key)
      // It was forgotten: it is full.
      if (bucket !== undefined) bucket.tokens = Math.min(rate.burst, bucket.tokens + tokens)
    },
    secondsUntil(key, cost) {
      const bucket = buckets.get(key)
      if (bucket === undefined) return 0
      refill(bucket, rate, clock.monotonic())
      return secondsUntil(bucket, rate, cost)
    },
    get size() {
      return buckets.size
    },
  }
}
