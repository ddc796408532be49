// Webhook endpoints and deliveries as callers see them: asked of their actor, shown without secrets. A delivery has the fields of both
// published forms; its status is in the words of its endpoint's form.

import { Type } from 'typebox'
import {
  type EndpointReply,
  type Gone,
  type WebhookEndpointMessage,
  webhookEndpointAddress,
} from '../../../actors/webhook-endpoint/messages.js'
import { isSelected } from '../../../events/selection.js'
import {
  deliveryIdOf,
  eventIdOf,
  mixedDeliveryId,
  type WebhookDelivery,
  webhookDeliveriesTable,
} from '../../../records/webhook-delivery.js'
import {
  disabledReasons,
  type PayloadFormat,
  payloadFormats,
  type WebhookEndpoint,
  type WebhookReplay,
  webhookProgressTable,
} from '../../../records/webhook-endpoint.js'
import { outboxTable } from '../../../runtime/actor/outbox.js'
import { notFound } from '../../../runtime/errors.js'
import { type ServiceClock, shownTime } from '../../../runtime/steady-time.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { after } from '../../../runtime/store/table.js'
import { askActor } from '../../pipeline/ask-actor.js'
import type { Showing } from '../../pipeline/record-routes.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { limits } from './limits.js'

/** Throws `not_found` for an endpoint that was removed meanwhile, `overloaded` where no answer came. */
export async function askEndpoint<Reply extends { readonly type: string }>(
  services: Pick<Services, 'ask'>,
  endpointId: string,
  message: WebhookEndpointMessage,
  withinMs?: number,
): Promise<Exclude<Reply, Gone>> {
  const reply = (await askActor(
    services,
    webhookEndpointAddress(endpointId),
    message,
    withinMs === undefined ? {} : { withinMs },
  )) as Reply
  if (reply.type === 'gone') throw notFound('there is no such webhook endpoint')
  return reply as Exclude<Reply, Gone>
}

export async function changeEndpoint(
  services: Services,
  endpointId: string,
  message: WebhookEndpointMessage,
): Promise<WebhookEndpoint> {
  return (await askEndpoint<EndpointReply>(services, endpointId, message)).endpoint
}

const time = (description?: string) => nullable(timestamp(description))

export const replaySchema = named('WebhookReplay', {
  from: timestamp(),
  to: timestamp(),
  only_failed: Type.Boolean(),
  types: nullable(Type.Array(Type.String())),
  started_at: timestamp(),
  sent: Type.Integer({ minimum: 0, description: 'About how many of its deliveries have been attempted so far.' }),
})

export function replayView({ from, to, only_failed, types, started_at, sent }: WebhookReplay) {
  return { from, to, only_failed, types: types ?? null, started_at, sent }
}

export const endpointSchema = named('WebhookEndpoint', {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  active: Type.Boolean(),
  status: Type.Enum(['active', 'paused', 'disabled']),
  payload_format: Type.Enum([...payloadFormats]),
  description: nullable(Type.String()),
  created_at: timestamp(),
  updated_at: timestamp(),
  secret_rotated_at: time(),
  disabled_reason: nullable(
    Type.Enum([...disabledReasons], {
      description: '`gone`: the receiver answered 410. `failing`: every delivery has failed for five days.',
    }),
  ),
  disabled_at: time(),
  failing_since: time('The time of the first failure since the last success.'),
  replay: nullable(replaySchema),
})

export function endpointView(row: WebhookEndpoint, { view, clock }: Pick<Showing, 'view' | 'clock'>) {
  const progress = view.get(webhookProgressTable, [row.endpoint_id])
  const { failing_since, replay } = progress ?? {}
  return {
    id: row.endpoint_id,
    url: row.url,
    events: row.events,
    active: row.active,
    status: row.active ? 'active' : row.disabled_reason === undefined ? 'paused' : 'disabled',
    payload_format: row.payload_format,
    description: row.description ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    secret_rotated_at: row.secret_rotated_at ?? null,
    disabled_reason: row.disabled_reason ?? null,
    disabled_at: row.disabled_at ?? null,
    failing_since: formatted(failing_since, clock),
    replay: replay === undefined ? null : replayView(replay),
  }
}

/** `clock`: for a steady time. */
function formatted(ms: number | undefined, clock?: ServiceClock): string | null {
  if (ms === undefined) return null
  return formatTimestamp(clock === undefined ? ms : shownTime(ms, clock))
}

export const deliverySchema = named('WebhookDelivery', {
  id: Type.String({ description: 'The id of this delivery; an event has another for each endpoint.' }),
  endpoint_id: Type.String(),
  event_id: Type.String({ description: 'Sent as `webhook-id` with every attempt.' }),
  event: Type.String(),
  event_type: Type.String({ description: 'The same as `event`.' }),
  status: Type.Enum(['pending', 'succeeded', 'delivered', 'failed'], {
    description: 'A delivery that has arrived is `succeeded` in payload format a, and `delivered` in payload format b.',
  }),
  attempts: Type.Integer({ minimum: 0 }),
  response_code: nullable(
    Type.Integer({ description: 'The HTTP status of the last attempt, if there was an answer.' }),
  ),
  http_status: nullable(Type.Integer({ description: 'The same as `response_code`.' })),
  error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
  last_attempted_at: time(),
  next_retry_at: time(),
  delivered_at: time(),
})

export function deliveryView(row: WebhookDelivery, format: PayloadFormat, clock: ServiceClock) {
  const code = row.response_code ?? null
  return {
    id: mixedDeliveryId(row.delivery_id, row.endpoint_id),
    endpoint_id: row.endpoint_id,
    event_id: eventIdOf(row.delivery_id),
    event: row.event,
    event_type: row.event,
    status: row.status === 'succeeded' && format === 'b' ? 'delivered' : row.status,
    attempts: row.attempts,
    response_code: code,
    http_status: code,
    error: row.error ?? null,
    last_attempted_at: formatted(row.last_attempted_at),
    next_retry_at: formatted(row.next_retry_at, clock),
    delivered_at: formatted(row.delivered_at),
  }
}

/**
 * How many of the next events behind the endpoint's place wait for their first attempt: those that it is subscribed to and that have no
 * delivery yet. It looks at a bounded number of events.
 */
export function waitingEvents(view: ReadView, endpoint: WebhookEndpoint): number {
  const place = view.get(webhookProgressTable, [endpoint.endpoint_id])?.cursor ?? ''
  const bounds = { from: after([place]), limit: limits.webhookWaitingLookedAt }
  return view
    .listBy(outboxTable, 'byOrganization', [endpoint.organization_id], bounds)
    .filter(({ event }) => isSelected(endpoint.events, event))
    .filter(({ id }) => view.get(webhookDeliveriesTable, [deliveryIdOf(id), endpoint.endpoint_id]) === undefined).length
}
