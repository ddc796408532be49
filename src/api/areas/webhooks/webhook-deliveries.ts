// What became of the events that were sent to a webhook endpoint, and what is sent on demand: one delivery or a period again, a test.

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
import type { WebhookEndpoint } from '../../../records/webhook-endpoint.js'
import { type AmpshardError, notFound, overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { LongReads } from '../../pipeline/long-reads.js'
import { type Page, type PageQuery, readLongPage } from '../../pipeline/paging.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { parseTimestamp } from '../../pipeline/timestamp.js'
import { area, endpoints } from './area.js'
import { eventExpired, replayRunning, webhookEndpointInactive } from './errors.js'
import { limits } from './limits.js'
import { askEndpoint, deliverySchema, deliveryView, replaySchema, replayView, waitingEvents } from './webhooks.js'

const statusOf: Readonly<Record<string, DeliveryStatus>> = {
  pending: 'pending',
  succeeded: 'succeeded',
  delivered: 'succeeded',
  failed: 'failed',
}

function readDeliveries(
  { view, longReads }: { readonly view: ReadView; readonly longReads: LongReads },
  { endpoint_id: endpointId, organization_id }: WebhookEndpoint,
  query: PageQuery & { readonly status?: string | undefined },
): Promise<Page<WebhookDelivery>> {
  const status = query.status === undefined ? undefined : statusOf[query.status]
  const list =
    status === undefined
      ? { index: 'byEndpoint', group: [endpointId] }
      : { index: 'byStatus', group: [endpointId, status] }
  const begin = longReads.of(organization_id)
  return readLongPage({ view, begin, table: webhookDeliveriesTable, list, query, newestFirst: true })
}

const listDeliveries = area.list('/{endpoint_id}/deliveries', {
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook endpoint, newest event first',
  description:
    'A delivery is listed from the end of its first attempt until 30 days after its event, or for as long as events are stored if that is longer.',
  of: endpoints,
  filters: {
    status: Type.Optional(
      Type.Enum(['succeeded', 'delivered', 'failed', 'pending'], {
        description: '`delivered` means the same as `succeeded`.',
      }),
    ),
  },
  name: 'deliveries',
  row: deliverySchema,
  fields: {
    limit: Type.Integer({ minimum: 1, description: 'The same as `per_page`.' }),
    waiting: Type.Integer({
      minimum: 0,
      description: `How many of the next ${limits.webhookWaitingLookedAt} events wait for their first attempt, because the receiver is slow or the endpoint is paused.`,
    }),
    retrying: Type.Integer({
      minimum: 0,
      description: 'How many deliveries are `pending`: they wait for another attempt.',
    }),
  },
  perPage: 20,
  maximum: 100,
  async read({ row: endpoint, query }, services) {
    const view = services.view()
    const { payload_format } = endpoint
    const { rows, total } = await readDeliveries({ view, longReads: services.longReads }, endpoint, query)
    return {
      rows: rows.map((row) => deliveryView(row, payload_format, services.clock)),
      total,
      limit: query.limit,
      waiting: waitingEvents(view, endpoint),
      retrying: view.total(webhookDeliveriesTable, 'byStatus', [endpoint.endpoint_id, 'pending']),
    }
  },
})

/** Throws for every reply that is no delivery. */
function requireDelivery(reply: Exclude<DeliveryReply, { type: 'gone' }>): WebhookDelivery {
  switch (reply.type) {
    case 'delivery':
      return reply.delivery
    case 'expired':
      throw eventExpired('the event of this delivery is no longer stored')
    case 'was-test':
      throw eventExpired('test events are not stored, so they cannot be sent again; send another test')
    case 'inactive':
      throw inactive()
    case 'busy':
      throw rateLimited('tests of this endpoint are still running; try again', { retryAfterSeconds: 1 })
  }
}

function inactive(): AmpshardError {
  return webhookEndpointInactive('the endpoint is paused or disabled; switch it on first')
}

const replayDelivery = area.route({
  method: 'POST',
  path: '/{endpoint_id}/deliveries/{delivery_id}/replay',
  operationId: 'replayWebhookDelivery',
  summary: 'Send a delivery again',
  description:
    'The delivery is sent at once, under the same id. If it had ended, its schedule of retries begins again; if it was waiting for a retry, it no longer waits.',
  of: endpoints,
  params: { delivery_id: Type.String({ maxLength: 64 }) },
  responses: { 202: deliverySchema },
  errors: [eventExpired, webhookEndpointInactive, overloaded],
  sheddable: 'command',
  async handle({ row: { endpoint_id, payload_format }, params }, services) {
    const delivery = findDelivery(services.view(), params.delivery_id, endpoint_id)
    if (delivery === undefined) throw notFound('there is no such delivery')
    const reply = await askEndpoint<DeliveryReply>(services, endpoint_id, {
      type: 'replay-delivery',
      deliveryId: delivery.delivery_id,
    })
    return { status: 202, body: deliveryView(requireDelivery(reply), payload_format, services.clock) }
  },
})

const replayPeriod = area.route({
  method: 'POST',
  path: '/{endpoint_id}/replay',
  operationId: 'replayWebhookPeriod',
  summary: 'Send the events of a period again',
  description:
    'Sends the events whose delivery has failed or, with `only_failed` false, every event that the endpoint is subscribed to. They are sent in their order, in addition to new deliveries; `replay` of the endpoint shows the progress. Only one period can be sent at a time.',
  of: endpoints,
  body: Type.Object({
    from: Type.String({
      format: 'date-time',
      description: 'The beginning of the period, inclusive.',
    }),
    to: Type.Optional(
      Type.String({ format: 'date-time', description: 'The end of the period, inclusive. The default is now.' }),
    ),
    only_failed: Type.Boolean({
      default: true,
      description: 'Whether only the events whose delivery has failed are sent, or all events of the period.',
    }),
    types: Type.Optional(
      Type.Array(eventSelector(), {
        minItems: 1,
        maxItems: limits.webhookEvents,
        description: 'Sends only these events. By default, all to which the endpoint is subscribed.',
      }),
    ),
  }),
  responses: { 202: replaySchema },
  errors: [replayRunning, webhookEndpointInactive, overloaded],
  sheddable: 'command',
  examples: { outage: { from: '2026-11-01T08:00:00Z', to: '2026-11-01T12:00:00Z' } },
  async handle({ row: { endpoint_id }, body }, services) {
    const from = parseTimestamp(body.from) ?? 0
    const to = body.to === undefined ? services.clock.now() : (parseTimestamp(body.to) ?? 0)
    if (to < from)
      throw invalid([
        body.to === undefined
          ? { path: '/from', message: 'must be in the past' }
          : { path: '/to', message: 'must not be before from' },
      ])
    const message = { type: 'replay-period', from, to, onlyFailed: body.only_failed, types: body.types } as const
    const reply = await askEndpoint<ReplayReply>(services, endpoint_id, message)
    if (reply.type === 'inactive') throw inactive()
    if (reply.type === 'running')
      throw replayRunning(`a replay has been running since ${reply.replay.started_at}; wait until it has ended`)
    return { status: 202, body: replayView(reply.replay) }
  },
})

/** What it takes to store the outcome. */
const storedWithinMs = 5_000

const testEndpoint = area.route({
  method: 'POST',
  path: '/{endpoint_id}/test',
  operationId: 'testWebhookEndpoint',
  summary: 'Send a test event to a webhook endpoint',
  description:
    "Sends the event `webhook.test` once to this endpoint alone, even if it is paused, and returns the result: the receiver's HTTP status, or what went wrong.",
  of: endpoints,
  responses: { 200: deliverySchema },
  errors: [rateLimited, overloaded],
  sheddable: 'command',
  async handle({ row: { endpoint_id, payload_format } }, services) {
    // The receiver's time, and before it as long for a connection, where those to its origin are busy.
    const withinMs = 2 * timeoutMs(payload_format) + storedWithinMs
    const reply = await askEndpoint<DeliveryReply>(services, endpoint_id, { type: 'test' }, withinMs)
    return { status: 200, body: deliveryView(requireDelivery(reply), payload_format, services.clock) }
  },
})

export const webhookDeliveryRoutes = [listDeliveries, replayDelivery, replayPeriod, testEndpoint]
