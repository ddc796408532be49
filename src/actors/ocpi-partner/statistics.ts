// How the pushes of this shard to partners have ended, and how long what changed took to them; read by the metrics.

import { createHistogram } from '../../runtime/histogram.js'

export interface OcpiPushCounts {
  readonly succeeded: number
  readonly failed: number
  /** From the change to the partner's answer. */
  readonly lag: { readonly bounds: readonly number[]; readonly counts: readonly number[]; readonly sumMs: number }
}

const lag = createHistogram([100, 250, 500, 1_000, 2_000, 5_000, 30_000, 300_000])
let succeeded = 0
let failed = 0

/** `lagMs` where it is known when the object changed. */
export function countPush(ok: boolean, lagMs: number | undefined): void {
  if (ok) succeeded++
  else failed++
  if (ok && lagMs !== undefined) lag.observe(Math.max(0, lagMs))
}

export function ocpiPushCounts(): OcpiPushCounts {
  return { succeeded, failed, lag: lag.snapshot() }
}
