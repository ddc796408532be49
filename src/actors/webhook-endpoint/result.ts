// What the outcome of an attempt means, and the delivery that is stored of it. Pure.

import { deliveryIdOf, type WebhookDelivery } from '../../records/webhook-delivery.js'
import type { PayloadFormat } from '../../records/webhook-endpoint.js'
import type { OutboundOutcome } from '../../runtime/outbound-jobs.js'
import type { Item } from './item.js'
import { readRetryAfter, retryDelayMs } from './schedule.js'

export interface Result {
  readonly ok: boolean
  readonly responseCode?: number
  readonly error?: string
  readonly retryAfterMs?: number
  /** The receiver wants no more of it, ever. */
  readonly gone?: boolean
  /** No answer came; after so long. */
  readonly silentMs?: number
}

const retryAfterStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** `now` is wall time: a Retry-After may be a date. */
export function resultOf(outcome: OutboundOutcome, now: number): Result {
  if (outcome.type === 'failed') return { ok: false, error: outcome.message, silentMs: outcome.milliseconds }
  const { status, headers } = outcome
  if (status >= 200 && status < 300) return { ok: true, responseCode: status }
  const retryAfterMs = retryAfterStatuses.has(status) ? readRetryAfter(headers['retry-after'], now) : undefined
  return {
    ok: false,
    responseCode: status,
    error: status >= 300 && status < 400 ? 'redirects are not followed' : `the receiver answered ${status}`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(status === 410 && { gone: true }),
  }
}

export interface Timing {
  readonly format: PayloadFormat
  /** Wall ms: the beginning and the end of the attempt. */
  readonly begunAt: number
  readonly now: number
  /** Steady ms. */
  readonly steady: number
  readonly random: number
}

export function deliveryAfter(item: Item, result: Result, endpointId: string, timing: Timing): WebhookDelivery {
  const { event, delivery, lane } = item
  const attempts = (delivery?.attempts ?? 0) + 1
  const run = (lane === 'retry' ? (delivery?.run ?? 0) : 0) + 1
  const delay =
    result.ok || lane === 'test' ? undefined : retryDelayMs(timing.format, run, result.retryAfterMs, timing.random)
  return {
    delivery_id: deliveryIdOf(event.id),
    endpoint_id: endpointId,
    event: event.event,
    status: result.ok ? 'succeeded' : delay === undefined ? 'failed' : 'pending',
    attempts,
    run,
    ...(result.responseCode !== undefined && { response_code: result.responseCode }),
    ...(result.error !== undefined && { error: result.error }),
    last_attempted_at: timing.begunAt,
    ...(delay !== undefined && { next_retry_at: Math.round(timing.steady + delay) }),
    ...(result.ok && { delivered_at: timing.now }),
  }
}

/** A delivery that no attempt can bring about any more. */
export function deliveryGivenUp(delivery: WebhookDelivery, error: string): WebhookDelivery {
  const { next_retry_at: _, ...kept } = delivery
  return { ...kept, status: 'failed', error }
}
