// How the attempts of this shard's webhooks have ended, and how long events took to their receivers; read by the metrics.

import { createHistogram } from '../../runtime/histogram.js'

export interface WebhookCounts {
  readonly succeeded: number
  readonly failed: number
  /** From the event to the receiver's answer, of those that the first attempt delivered. */
  readonly lag: { readonly bounds: readonly number[]; readonly counts: readonly number[]; readonly sumMs: number }
}

const lag = createHistogram([10, 25, 50, 100, 250, 500, 1_000, 5_000, 30_000, 300_000])
let succeeded = 0
let failed = 0

/** `lagMs` for the first attempt of an event. */
export function countAttempt(ok: boolean, lagMs: number | undefined): void {
  if (ok) succeeded++
  else failed++
  if (ok && lagMs !== undefined) lag.observe(Math.max(0, lagMs))
}

export function webhookCounts(): WebhookCounts {
  return { succeeded, failed, lag: lag.snapshot() }
}
