// What became of the events that a webhook endpoint was sent, and what is sent again by hand: one delivery, a period, a test.

import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import type { DeliveryReply, ReplayReply } from '../../../actors/webhook-endpoint/messages.js'
import { timeoutMs } from '../../../actors/webhook-endpoint/schedule.js'
import { eventSelector } from '../../../events/selection.js'
import {
  type DeliveryStatus,
  findDelivery,
  type WebhookDelivery,
  webhookDeliveriesTable,
} from '../../../records/webhook-delivery.js'
import { type AmpshardError, notFound, overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { defineList } from '../../pipeline/list-route.js'
import { type PageQuery, readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { parseTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { eventExpired, replayRunning, webhookEndpointInactive } from './errors.js'
import { limits } from './limits.js'
import {
  askEndpoint,
  deliverySchema,
  deliveryView,
  endpointParams,
  ownEndpoint,
  replaySchema,
  replayView,
  waitingEvents,
} from './webhooks.js'

const tags = ['Webhooks']

const statusOf: Readonly<Record<string, DeliveryStatus>> = {
  pending: 'pending',
  succeeded: 'succeeded',
  delivered: 'succeeded',
  failed: 'failed',
}

function readDeliveries(
  view: ReadView,
  endpointId: string,
  query: PageQuery & { readonly status?: string | undefined },
): { readonly rows: readonly WebhookDelivery[]; readonly total: number } {
  const status = query.status === undefined ? undefined : statusOf[query.status]
  const list =
    status === undefined
      ? { index: 'byEndpoint', group: [endpointId] }
      : { index: 'byStatus', group: [endpointId, status] }
  return readPage({ view, table: webhookDeliveriesTable, list, query, newestFirst: true })
}

const listDeliveries = defineList({
  surface: operator,
  path: '/api/v1/webhooks/endpoints/{endpoint_id}/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List deliveries of a webhook endpoint, the newest event first',
  description:
    'A delivery is listed once its first attempt has ended, for 30 days from its event, or for as long as events are kept, where that is longer.',
  tags,
  scopes: ['read:webhooks'],
  params: endpointParams,
  filters: {
    status: Type.Optional(
      Type.Enum(['succeeded', 'delivered', 'failed', 'pending'], {
        description: 'delivered is another word for succeeded',
      }),
    ),
  },
  name: 'deliveries',
  row: deliverySchema,
  fields: {
    limit: Type.Integer({ minimum: 1, description: 'The same as `per_page`.' }),
    waiting: Type.Integer({
      minimum: 0,
      description: `Events that wait for their first attempt, among the next ${limits.webhookWaitingLookedAt}: the receiver is slow or the endpoint paused.`,
    }),
  },
  perPage: 20,
  maximum: 100,
  errors: [notFound],
  read({ principal, params, query }, services) {
    const view = services.view()
    const endpoint = ownEndpoint(view, principal, params.endpoint_id)
    const { endpoint_id, payload_format } = endpoint
    const { rows, total } = readDeliveries(view, endpoint_id, query)
    return {
      rows: rows.map((row) => deliveryView(row, payload_format)),
      total,
      limit: query.limit,
      waiting: waitingEvents(view, endpoint),
    }
  },
})

/** Throws for every reply that is no delivery. */
function requireDelivery(reply: Exclude<DeliveryReply, { type: 'gone' }>): WebhookDelivery {
  switch (reply.type) {
    case 'delivery':
      return reply.delivery
    case 'expired':
      throw eventExpired('the event of this delivery is no longer kept')
    case 'was-test':
      throw eventExpired('test events are not kept, so they cannot be sent again: send another test')
    case 'inactive':
      throw inactive()
    case 'busy':
      throw rateLimited('tests of this endpoint are under way; try again', {
        retryAfterSeconds: 1,
      })
  }
}

function inactive(): AmpshardError {
  return webhookEndpointInactive('the endpoint is paused or disabled: turn it on first')
}

const replayDelivery = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/endpoints/{endpoint_id}/deliveries/{delivery_id}/replay',
  operationId: 'replayWebhookDelivery',
  summary: 'Send a delivery again',
  description:
    'At once, under the id that it had. One that had ended begins its schedule of retries anew; one that waits for a retry does not wait for it.',
  tags,
  surface: operator,
  scopes: ['write:webhooks'],
  params: Type.Object({ ...endpointParams.properties, delivery_id: Type.String({ maxLength: 64 }) }),
  responses: { 202: deliverySchema },
  errors: [notFound, eventExpired, webhookEndpointInactive, overloaded],
  sheddable: 'command',
  async handle({ principal, params }, services) {
    const view = services.view()
    const { endpoint_id, payload_format } = ownEndpoint(view, principal, params.endpoint_id)
    const delivery = findDelivery(view, params.delivery_id, endpoint_id)
    if (delivery === undefined) throw notFound('there is no such delivery')
    const reply = await askEndpoint<DeliveryReply>(services, endpoint_id, {
      type: 'replay-delivery',
      deliveryId: delivery.delivery_id,
    })
    return { status: 202, body: deliveryView(requireDelivery(reply), payload_format) }
  },
})

const replayPeriod = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/endpoints/{endpoint_id}/replay',
  operationId: 'replayWebhookPeriod',
  summary: 'Send the events of a period again',
  description:
    'The failed ones, or with `only_failed` false every event that the endpoint is subscribed to. They are sent in their order, beside what is delivered anyway; the endpoint shows how far it has got in `replay`. One period at a time.',
  tags,
  surface: operator,
  scopes: ['write:webhooks'],
  params: endpointParams,
  body: Type.Object({
    from: Type.String({ format: 'date-time' }),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'inclusive; now where it is left out' })),
    only_failed: Type.Boolean({ default: true }),
    types: Type.Optional(Type.Array(eventSelector(), { minItems: 1, maxItems: limits.webhookEvents })),
  }),
  responses: { 202: replaySchema },
  errors: [notFound, replayRunning, webhookEndpointInactive, overloaded],
  sheddable: 'command',
  examples: { outage: { from: '2026-11-01T08:00:00Z', to: '2026-11-01T12:00:00Z' } },
  async handle({ principal, params, body }, services) {
    const { endpoint_id } = ownEndpoint(services.view(), principal, params.endpoint_id)
    const from = parseTimestamp(body.from) ?? 0
    const to = body.to === undefined ? services.clock.now() : (parseTimestamp(body.to) ?? 0)
    if (to < from) throw invalid([{ path: '/to', message: 'is before from' }])
    const message = { type: 'replay-period', from, to, onlyFailed: body.only_failed, types: body.types } as const
    const reply = await askEndpoint<ReplayReply>(services, endpoint_id, message)
    if (reply.type === 'inactive') throw inactive()
    if (reply.type === 'running') throw replayRunning(`a period is being replayed since ${reply.replay.started_at}`)
    return { status: 202, body: replayView(reply.replay) }
  },
})

/** What it takes to store the outcome. */
const storedWithinMs = 5_000

const testEndpoint = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/endpoints/{endpoint_id}/test',
  operationId: 'testWebhookEndpoint',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends the event `webhook.test` to this endpoint alone, once, also when it is paused, and answers with what came of it: the receiver’s HTTP status, or what went wrong.',
  tags,
  surface: operator,
  scopes: ['write:webhooks'],
  params: endpointParams,
  responses: { 200: deliverySchema },
  errors: [notFound, rateLimited, overloaded],
  sheddable: 'command',
  async handle({ principal, params }, services) {
    const { endpoint_id, payload_format } = ownEndpoint(services.view(), principal, params.endpoint_id)
    // The receiver's time, and before it as long for a connection, where those to its origin are busy.
    const withinMs = 2 * timeoutMs(payload_format) + storedWithinMs
    const reply = await askEndpoint<DeliveryReply>(services, endpoint_id, { type: 'test' }, withinMs)
    return { status: 200, body: deliveryView(requireDelivery(reply), payload_format) }
  },
})

export const webhookDeliveryRoutes = [listDeliveries, replayDelivery, replayPeriod, testEndpoint]
