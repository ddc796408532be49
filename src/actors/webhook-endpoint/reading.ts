// What an endpoint reads: the events behind its place, those of a range that is sent again, and the deliveries whose retry is
// due. A bounded part of each is in memory; the rest waits where it is stored.

import { isSelected } from '../../events/selection.js'
import {
  deliveryIdOf,
  eventIdOf,
  type WebhookDelivery,
  webhookDeliveriesTable,
} from '../../records/webhook-delivery.js'
import type { WebhookEndpoint, WebhookReplay } from '../../records/webhook-endpoint.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { type OutboxRow, outboxTable } from '../../runtime/actor/outbox.js'
import { assert } from '../../runtime/assert.js'
import { after } from '../../runtime/store/table.js'
import type { Item, LaneName } from './item.js'
import { limits } from './limits.js'
import { saveProgress } from './progress.js'
import { deliveryGivenUp } from './result.js'
import { type Lane, type WebhookState, writtenNow } from './state.js'

const none: readonly Effect[] = []
/** Events of a range in memory: few, so that a crash repeats few. */
const replayWindow = 32

function take(lane: Lane, name: LaneName, event: OutboxRow, delivery?: WebhookDelivery): void {
  const item: Item = { lane: name, event, after: lane.seen, delivery, attempt: undefined }
  lane.items.set(event.id, item)
}

export function mayReadLive({ lanes: { live } }: WebhookState): boolean {
  return live.more && limits.webhookWindow - live.items.size >= limits.webhookEventsPerRead
}

export function mayReadReplay({ progress, lanes: { replay } }: WebhookState): boolean {
  return progress.replay !== undefined && replay.more && replay.items.size <= replayWindow / 2
}

/** Events of the organization that come next, those that the endpoint is not subscribed to left out. */
export function readLive(state: WebhookState, endpoint: WebhookEndpoint, context: Context): void {
  if (!mayReadLive(state)) return
  const lane = state.lanes.live
  const limit = limits.webhookEventsPerRead
  const view = context.read()
  const bounds = { from: after([lane.seen]), limit }
  const events = view.listBy(outboxTable, 'byOrganization', [endpoint.organization_id], bounds)
  lane.more = events.length === limit
  for (const event of events) {
    assert(event.id > lane.seen, 'an endpoint reads each event once, in their order', event.id, lane.seen)
    const deliveryId = deliveryIdOf(event.id)
    const settled =
      deliveryId <= state.deliveredUpTo &&
      view.get(webhookDeliveriesTable, [deliveryId, endpoint.endpoint_id]) !== undefined
    if (!settled && isSelected(endpoint.events, event.event)) take(lane, 'live', event)
    else lane.unstored++
    lane.seen = event.id
  }
}

/** Deliveries whose time has come. One whose event is no longer in the feed has failed. */
export function readRetries(state: WebhookState, endpoint: WebhookEndpoint, context: Context): readonly Effect[] {
  const now = context.steady()
  if (state.nextRetryAt === undefined || state.nextRetryAt > now || !hasRoomForRetries(state)) return none
  const view = context.read()
  const written = writtenNow(state, context)
  const { items } = state.lanes.retry
  const group = [endpoint.endpoint_id]
  const limit = limits.webhookDueRetries + items.size + written.size
  const due = view.listBy(webhookDeliveriesTable, 'byRetry', group, { to: [now + 1], limit })
  const effects: Effect[] = []
  for (const delivery of due) {
    const eventId = eventIdOf(delivery.delivery_id)
    if (items.has(eventId) || written.has(delivery.delivery_id)) continue
    if (items.size >= limits.webhookDueRetries) return effects
    const event = view.get(outboxTable, [eventId])
    if (event !== undefined) take(state.lanes.retry, 'retry', event, delivery)
    else effects.push(effect.put(webhookDeliveriesTable, deliveryExpired(delivery)))
  }
  const [next] = view.listBy(webhookDeliveriesTable, 'byRetry', group, { from: [now + 1], limit: 1 })
  state.nextRetryAt = next?.next_retry_at
  for (const { next_retry_at } of written.values()) noteRetry(state, next_retry_at)
  return effects
}

export function hasRoomForRetries(state: WebhookState): boolean {
  return state.lanes.retry.items.size <= limits.webhookDueRetries / 2
}

export function noteRetry(state: WebhookState, at: number | undefined): void {
  if (at !== undefined && at < (state.nextRetryAt ?? Number.POSITIVE_INFINITY)) state.nextRetryAt = at
}

function deliveryExpired(delivery: WebhookDelivery): WebhookDelivery {
  return deliveryGivenUp(delivery, 'the event is no longer kept')
}

/** Events of the range that is sent again. At its end the range is forgotten. */
export function readReplay(state: WebhookState, endpoint: WebhookEndpoint, context: Context): readonly Effect[] {
  const { replay } = state.progress
  const lane = state.lanes.replay
  if (replay === undefined) return none
  if (mayReadReplay(state)) {
    const page = replay.only_failed
      ? failedOf(replay, endpoint, lane, context)
      : eventsOf(replay, endpoint, lane, context)
    lane.more = page.length === replayWindow
    for (const { eventId, event, delivery } of page) {
      const underWay = delivery?.status === 'pending' || state.lanes.live.items.has(eventId)
      if (event !== undefined && wanted(replay, endpoint, event.event) && !underWay)
        take(lane, 'replay', event, delivery)
      lane.seen = eventId
      lane.unstored++
    }
  }
  return lane.more || lane.items.size > 0 ? none : [saveProgress(state, { replay: undefined })]
}

interface Found {
  readonly eventId: string
  readonly event: OutboxRow | undefined
  readonly delivery: WebhookDelivery | undefined
}

function wanted({ types }: WebhookReplay, endpoint: WebhookEndpoint, name: string): boolean {
  return isSelected(types ?? endpoint.events, name)
}

function failedOf({ end }: WebhookReplay, { endpoint_id }: WebhookEndpoint, lane: Lane, context: Context): Found[] {
  const view = context.read()
  const bounds = {
    from: after([deliveryIdOf(lane.seen), endpoint_id]),
    to: [deliveryIdOf(end)],
    limit: replayWindow,
  }
  return view.listBy(webhookDeliveriesTable, 'byStatus', [endpoint_id, 'failed'], bounds).map((delivery) => {
    const eventId = eventIdOf(delivery.delivery_id)
    return { eventId, event: view.get(outboxTable, [eventId]), delivery }
  })
}

function eventsOf({ end }: WebhookReplay, endpoint: WebhookEndpoint, lane: Lane, context: Context): Found[] {
  const view = context.read()
  const bounds = { from: after([lane.seen]), to: [end], limit: replayWindow }
  return view.listBy(outboxTable, 'byOrganization', [endpoint.organization_id], bounds).map((event) => {
    const delivery = view.get(webhookDeliveriesTable, [deliveryIdOf(event.id), endpoint.endpoint_id])
    return { eventId: event.id, event, delivery }
  })
}
