// Whether an endpoint's receiver takes what it is sent: since when it does not, the alert about that, and when the service itself
// stops sending: at once when the receiver says that it is gone, and after five days in which nothing but failures came back.

import { webhookEndpointDisabled } from '../../alert-kinds/webhook-endpoint-disabled.js'
import { finding, raise } from '../../alerts/alert.js'
import { judgeWebhook } from '../../alerts/webhook-health.js'
import { type DisabledReason, type WebhookEndpoint, webhookEndpointsTable } from '../../records/webhook-endpoint.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { saveProgress } from './progress.js'
import type { Result } from './result.js'
import type { WebhookState } from './state.js'

const failingDisablesAfterMs = 5 * 24 * 3_600_000

/** After each attempt. */
export function judgeEndpoint(
  state: WebhookState,
  endpoint: WebhookEndpoint,
  { ok, gone }: Result,
  context: Context,
): readonly Effect[] {
  const now = context.steady()
  const failingSince = ok ? undefined : (state.progress.failing_since ?? now)
  if (ok || !endpoint.active) return noteHealth(state, endpoint, failingSince, context)
  if (gone === true) return disable(state, endpoint, 'gone', context)
  if (now - (failingSince ?? now) >= failingDisablesAfterMs) return disable(state, endpoint, 'failing', context)
  return noteHealth(state, endpoint, failingSince, context)
}

/** The one place where it begins and ends to fail, and where the alert about it does. */
export function noteHealth(
  state: WebhookState,
  { endpoint_id: endpointId, organization_id: organizationId, url }: WebhookEndpoint,
  failingSince: number | undefined,
  context: Context,
  resolution?: string,
): readonly Effect[] {
  const { failing_since, alert } = state.progress
  const verdict = judgeWebhook(
    { endpointId, organizationId, url, failingSince, now: context.steady(), alert },
    context,
    resolution,
  )
  if (failingSince === failing_since && verdict.alert === alert) return verdict.effects
  return [...verdict.effects, saveProgress(state, { failing_since: failingSince, alert: verdict.alert })]
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
  const { endpoint_id: endpointId, organization_id: organizationId } = endpoint
  const about = { organizationId, subject: endpointId, webhookEndpointId: endpointId }
  return [
    ...noteHealth(state, endpoint, state.progress.failing_since, context),
    effect.put(webhookEndpointsTable, disabled),
    ...raise(finding(webhookEndpointDisabled, about, { endpointId, reason }), context).effects,
  ]
}
