// When the service itself stops sending to an endpoint: at once when the receiver says that it is gone, and after five days in
// which nothing but failures came back. The owner is told, and may turn it on again.

import { type Context, type Effect, effect } from '../../runtime/actor.js'
import { raise } from '../alerts/alert.js'
import { type DisabledReason, type WebhookEndpoint, webhookEndpointsTable } from '../records/webhook-endpoint.js'
import { noteHealth } from './progress.js'
import type { Result } from './result.js'
import { scheduleNow, type WebhookState } from './state.js'

const failingDisablesAfterMs = 5 * 24 * 3_600_000

const words: Readonly<Record<DisabledReason, string>> = {
  gone: 'the receiver answered 410 Gone',
  failing: 'nothing but failures for five days',
}

export function judgeEndpoint(
  state: WebhookState,
  endpoint: WebhookEndpoint,
  { ok, gone }: Result,
  context: Context,
): readonly Effect[] {
  const now = Math.round(scheduleNow(state, context))
  const health = noteHealth(state, ok, now)
  if (!endpoint.active) return health
  const failingSince = state.progress.failing_since ?? now
  if (gone === true) return [...health, ...disable(state, endpoint, 'gone', context)]
  if (now - failingSince >= failingDisablesAfterMs) return [...health, ...disable(state, endpoint, 'failing', context)]
  return health
}

function disable(
  state: WebhookState,
  endpoint: WebhookEndpoint,
  reason: DisabledReason,
  context: Context,
): readonly Effect[] {
  const now = new Date(context.now()).toISOString()
  const disabled: WebhookEndpoint = {
    ...endpoint,
    active: false,
    disabled_reason: reason,
    disabled_at: now,
    updated_at: now,
  }
  state.endpoint = disabled
  return [
    effect.put(webhookEndpointsTable, disabled),
    ...raise(
      {
        kind: 'webhook_endpoint_disabled',
        organizationId: endpoint.organization_id,
        subject: endpoint.endpoint_id,
        webhookEndpointId: endpoint.endpoint_id,
        message: `webhook endpoint ${endpoint.endpoint_id} is disabled: ${words[reason]}`,
      },
      context,
    ).effects,
  ]
}
