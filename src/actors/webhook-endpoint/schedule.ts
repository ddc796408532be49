// When a delivery is attempted again, and how long a receiver may take: the two published forms. Pure.

import type { PayloadFormat } from '../../records/webhook-endpoint.js'
import { limits } from './limits.js'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

interface Form {
  readonly timeoutMs: number
  /** From the end of each failed attempt to the next one. */
  readonly retryDelaysMs: readonly number[]
  /** By which share of it a delay may be shorter. */
  readonly jitter: number
}

const forms: Readonly<Record<PayloadFormat, Form>> = {
  a: { timeoutMs: 10 * second, retryDelaysMs: [minute, 10 * minute, hour, 6 * hour, 17 * hour], jitter: 0.1 },
  b: {
    timeoutMs: 30 * second,
    retryDelaysMs: [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour],
    jitter: 0,
  },
}

export function timeoutMs(format: PayloadFormat): number {
  return forms[format].timeoutMs
}

/**
 * How long after the attempt number `attempt`, which failed, the next one is made; undefined after the last. A receiver
 * that names a later time gets it, up to a bound. `random` in [0, 1).
 */
export function retryDelayMs(
  format: PayloadFormat,
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
): number | undefined {
  const { retryDelaysMs, jitter } = forms[format]
  const delay = retryDelaysMs[attempt - 1]
  if (delay === undefined) return undefined
  const wanted = Math.min(retryAfterMs ?? 0, limits.webhookRetryAfterMs)
  return Math.max(Math.round(delay * (1 - jitter * random)), wanted)
}

/** RFC 9110, 10.2.3: seconds, or a date. In ms from `now`; undefined for anything else. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * second
  const at = /^[A-Za-z]/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
