// The alert about a webhook endpoint that only fails. Its actor asks after each attempt, and keeps the alert's id in its own row: so
// the alert begins and ends in the commit that stores the attempt's result, and no attempt that goes well costs a read.

import type { Context, Effect } from '../../runtime/actor.js'
import { thresholdOf } from '../records/alert-kinds.js'
import { organizationsTable } from '../records/organization.js'
import { raise, resolve } from './alert.js'

export interface WebhookHealth {
  readonly endpointId: string
  readonly organizationId: string
  readonly url: string
  /** Wall ms of the first of the failures that no success has followed; undefined for an endpoint that does not fail. */
  readonly failingSince: number | undefined
  /** Of the alert that is open, as it was returned last. */
  readonly alertId: string | undefined
}

export interface WebhookVerdict {
  /** To be kept in the same commit as the effects. */
  readonly alertId: string | undefined
  readonly effects: readonly Effect[]
}

const kind = 'webhook_endpoint_failing'
const minuteMs = 60_000

/** `resolution`: why it fails no more, where that is another than a delivery that was taken. */
export function judgeWebhook(health: WebhookHealth, context: Context, resolution?: string): WebhookVerdict {
  const { endpointId, organizationId, url, failingSince, alertId } = health
  if (failingSince === undefined) return end(alertId, context, resolution)
  const set = context.read().get(organizationsTable, [organizationId])?.alert_thresholds
  const threshold = thresholdOf(set, kind)
  if (typeof threshold !== 'number') return end(alertId, context, 'alerts of this kind are not wanted any more')
  if (alertId !== undefined || context.now() - failingSince < threshold * minuteMs) return { alertId, effects: [] }
  const failing_since = new Date(failingSince).toISOString()
  const { alert, effects } = raise(
    {
      kind,
      organizationId,
      subject: endpointId,
      webhookEndpointId: endpointId,
      message: `every delivery to the webhook endpoint at ${hostOf(url)} has failed since ${failing_since}`,
      details: { failing_since },
    },
    context,
  )
  return { alertId: alert.alert_id, effects }
}

function end(alertId: string | undefined, context: Context, resolution: string | undefined): WebhookVerdict {
  return { alertId: undefined, effects: alertId === undefined ? [] : resolve(alertId, context, resolution) }
}

/** The rest of a URL may hold a secret. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unknown address'
}
