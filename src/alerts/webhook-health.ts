// The alert about a webhook endpoint that only fails. Its actor asks after each attempt, and keeps the open alert in its own row: so
// the alert begins and ends in the commit that stores the attempt's result, and no attempt that goes well costs a read.

import { thresholdOf } from '../alert-kinds/index.js'
import { webhookEndpointFailing } from '../alert-kinds/webhook-endpoint-failing.js'
import type { Alert } from '../records/alert.js'
import { organizationsTable } from '../records/organization.js'
import type { Context, Effect } from '../runtime/actor/actor.js'
import { endedAlert, finding, notWanted, publishAlert, raise } from './alert.js'

export interface WebhookHealth {
  readonly endpointId: string
  readonly organizationId: string
  readonly url: string
  /** The first of the failures that no success has followed, ms; undefined for an endpoint that does not fail. */
  readonly failingSince: number | undefined
  /** By the clock of `failingSince`. */
  readonly now: number
  /** That is open, as it was returned last. */
  readonly alert: Alert | undefined
}

export interface WebhookVerdict {
  /** To be kept in the same commit as the effects. */
  readonly alert: Alert | undefined
  readonly effects: readonly Effect[]
}

const minuteMs = 60_000

/** `resolution`: why it fails no more, where that is another than a delivery that was taken. */
export function judgeWebhook(health: WebhookHealth, context: Context, resolution?: string): WebhookVerdict {
  const { endpointId, organizationId, url, failingSince, now, alert } = health
  if (failingSince === undefined) return end(alert, context, resolution)
  const set = context.read().get(organizationsTable, [organizationId])?.alert_thresholds
  const threshold = thresholdOf(set, webhookEndpointFailing.name)
  if (typeof threshold !== 'number') return end(alert, context, notWanted)
  if (alert !== undefined || now - failingSince < threshold * minuteMs) return { alert, effects: [] }
  const since = new Date(context.now() - (now - failingSince)).toISOString()
  const about = { organizationId, subject: endpointId, webhookEndpointId: endpointId }
  return raise(finding(webhookEndpointFailing, about, { url, since }), context)
}

function end(alert: Alert | undefined, context: Context, resolution: string | undefined): WebhookVerdict {
  const effects = alert === undefined ? [] : publishAlert(endedAlert(alert, context.now(), resolution))
  return { alert: undefined, effects }
}
