// What is sent again because somebody asks for it: one delivery at once, or a range of events in parts, behind what is
// delivered anyway. And the test of an endpoint: an event that it alone is sent, once.

import { domainEvent } from '../../events/define-event.js'
import { webhookTest } from '../../events/webhook.js'
import { eventIdOf, type WebhookDelivery, webhookDeliveriesTable } from '../../records/webhook-delivery.js'
import type { WebhookEndpoint, WebhookReplay } from '../../records/webhook-endpoint.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { type OutboxRow, outboxTable } from '../../runtime/actor/outbox.js'
import { lowestIdAt } from '../../runtime/ids.js'
import { begin } from './attempts.js'
import { answer, gone } from './changes.js'
import type { Item } from './item.js'
import { limits } from './limits.js'
import type { DeliveryReply, ReplayDeliveryMessage, ReplayPeriodMessage, ReplayReply } from './messages.js'
import { saveProgress } from './progress.js'
import { noteRetry } from './reading.js'
import { emptyLane, type WebhookState, writtenNow } from './state.js'

/** A delivery that is at an end begins its schedule anew; one that waits is only hurried. */
export function replayDelivery(
  state: WebhookState,
  endpoint: WebhookEndpoint,
  { deliveryId }: ReplayDeliveryMessage,
  context: Context,
): readonly Effect[] {
  const reply = (body: DeliveryReply): readonly Effect[] => answer(context, body)
  const view = context.read()
  const written = writtenNow(state, context)
  const stored = written.get(deliveryId) ?? view.get(webhookDeliveriesTable, [deliveryId, endpoint.endpoint_id])
  if (stored === undefined) return reply(gone)
  const eventId = eventIdOf(deliveryId)
  if (stored.event === webhookTest.name) return reply({ type: 'was-test' })
  if (view.get(outboxTable, [eventId]) === undefined) return reply({ type: 'expired' })
  if (!endpoint.active) return reply({ type: 'inactive' })
  // It is being sent at this moment.
  if (state.lanes.retry.items.has(eventId)) return reply({ type: 'delivery', delivery: stored })
  const { delivered_at: _, ...kept } = stored
  const now = context.steady()
  const delivery: WebhookDelivery = {
    ...kept,
    status: 'pending',
    run: stored.status === 'pending' ? stored.run : 0,
    next_retry_at: now,
  }
  written.set(deliveryId, delivery)
  noteRetry(state, now)
  return [effect.put(webhookDeliveriesTable, delivery), ...reply({ type: 'delivery', delivery })]
}

/** Of the events that the endpoint has come past; the others are on their way already. */
export function replayPeriod(
  state: WebhookState,
  endpoint: WebhookEndpoint,
  { from, to, onlyFailed, types }: ReplayPeriodMessage,
  context: Context,
): readonly Effect[] {
  const running = state.progress.replay
  if (running !== undefined) return answer(context, { type: 'running', replay: running } satisfies ReplayReply)
  if (!endpoint.active) return answer(context, { type: 'inactive' } satisfies ReplayReply)
  const { seen } = state.lanes.live
  const cursor = lowestIdAt('evt', from)
  const behindSeen = `${seen}0`
  const end = lowestIdAt('evt', to + 1)
  const replay: WebhookReplay = {
    cursor,
    end: behindSeen < end ? behindSeen : end,
    only_failed: onlyFailed,
    ...(types !== undefined && { types }),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    started_at: new Date(context.now()).toISOString(),
    sent: 0,
  }
  emptyLane(state.lanes.replay, cursor)
  return [saveProgress(state, { replay }), ...answer(context, { type: 'replay', replay } satisfies ReplayReply)]
}

/** Also of one that is paused or disabled: to see whether it would work. */
export function test(state: WebhookState, endpoint: WebhookEndpoint, context: Context): readonly Effect[] {
  if (state.tests.size >= limits.webhookTests) return answer(context, { type: 'busy' } satisfies DeliveryReply)
  const now = context.now()
  const { organization_id: organizationId, endpoint_id } = endpoint
  const event: OutboxRow = {
    id: context.newId('evt'),
    at: now,
    ...domainEvent(
      webhookTest,
      { organizationId, subject: endpoint_id },
      { endpoint_id, message: 'This is a test.', sent_at: new Date(now).toISOString() },
    ),
  }
  const { replyTo } = context
  const item: Item = { lane: 'test', event, after: '', delivery: undefined, replyTo, attempt: undefined }
  state.tests.add(item)
  return begin(state, endpoint, item, context)
}
