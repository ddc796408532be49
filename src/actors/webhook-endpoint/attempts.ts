// Which attempt begins next, and what comes of it. One is under way per subject, so that a charge point's events arrive in their
// order; how many at once is found out by trying: a receiver that is slow to fail holds one connection.

import { deliveryIdOf, type WebhookDelivery, webhookDeliveriesTable } from '../../records/webhook-delivery.js'
import type { WebhookEndpoint } from '../../records/webhook-endpoint.js'
import { type Context, type Effect, effect, type JobOutcome } from '../../runtime/actor/actor.js'
import { timeOfEvent } from '../../runtime/actor/outbox.js'
import type { OutboundOutcome } from '../../runtime/outbound-jobs.js'
import { judgeEndpoint } from './health.js'
import { type Item, laneNames } from './item.js'
import { limits } from './limits.js'
import type { DeliveryReply, WebhookEndpointMessage } from './messages.js'
import { countReplayed, saveProgress, saveProgressIfDue } from './progress.js'
import { noteRetry } from './reading.js'
import { bodyOf, requestOf } from './request.js'
import { deliveryAfter, deliveryGivenUp, type Result, resultOf } from './result.js'
import { type WebhookState, writtenNow } from './state.js'
import { countAttempt } from './statistics.js'

const none: readonly Effect[] = []
/** A failure that took longer than this holds connections. */
const slowFailureMs = 1_000
const refusedPauseMs = 1_000

export function beginAttempts(state: WebhookState, endpoint: WebhookEndpoint, context: Context): readonly Effect[] {
  if (context.monotonic() < state.pausedUntil) return none
  const effects: Effect[] = []
  while (state.underWay < state.allowed) {
    const item = nextItem(state)
    if (item === undefined) break
    effects.push(...begin(state, endpoint, item, context))
  }
  return effects
}

/** The lanes take turns; what is sent again takes half of the room at most. */
function nextItem(state: WebhookState): Item | undefined {
  const last = laneNames.indexOf(state.lastLane)
  for (let step = 1; step <= laneNames.length; step++) {
    const name = laneNames[(last + step) % laneNames.length] as (typeof laneNames)[number]
    const lane = state.lanes[name]
    if (lane.underWay === lane.items.size) continue
    if (name === 'replay' && lane.underWay >= Math.max(1, state.allowed >> 1)) continue
    for (const item of lane.items.values()) {
      if (item.attempt !== undefined || state.busySubjects.has(item.event.subject)) continue
      state.lastLane = name
      return item
    }
  }
  return undefined
}

export function begin(state: WebhookState, endpoint: WebhookEndpoint, item: Item, context: Context): readonly Effect[] {
  const body = bodyOf(item.event, endpoint.payload_format)
  if (Buffer.byteLength(body) > limits.webhookBodyBytes) return giveUp(state, endpoint, item, context)
  const now = context.now()
  item.attempt = { url: endpoint.url, begunAt: now }
  if (item.lane !== 'test') {
    state.underWay++
    state.lanes[item.lane].underWay++
    state.busySubjects.add(item.event.subject)
  }
  const job = effect.job(
    'http-request',
    requestOf(endpoint, item.event, body, now),
    (outcome): WebhookEndpointMessage => ({ type: 'attempted', item, outcome }),
  )
  if (state.hasWritten) return [job]
  state.hasWritten = true
  return [saveProgress(state), job]
}

function giveUp(state: WebhookState, endpoint: WebhookEndpoint, item: Item, context: Context): readonly Effect[] {
  const { event, delivery } = item
  const unsent: WebhookDelivery = {
    delivery_id: deliveryIdOf(event.id),
    endpoint_id: endpoint.endpoint_id,
    event: event.event,
    status: 'failed',
    attempts: delivery?.attempts ?? 0,
    run: 0,
  }
  const error = `the payload is longer than ${limits.webhookBodyBytes} bytes`
  return settle(state, item, deliveryGivenUp(unsent, error), context)
}

export function attempted(state: WebhookState, item: Item, outcome: JobOutcome, context: Context): readonly Effect[] {
  const { endpoint } = state
  const { attempt } = item
  if (endpoint === undefined || attempt === undefined || !isUnderWay(state, item)) return none
  item.attempt = undefined
  if (item.lane !== 'test') {
    state.underWay--
    state.lanes[item.lane].underWay--
    state.busySubjects.delete(item.event.subject)
  }
  if (!outcome.ok) return refused(state, item, context)
  const now = context.now()
  const result = resultOf(outcome.value as OutboundOutcome, now)
  const timing = {
    format: endpoint.payload_format,
    begunAt: attempt.begunAt,
    now,
    steady: context.steady(),
    random: context.random(),
  }
  const delivery = deliveryAfter(item, result, endpoint.endpoint_id, timing)
  countAttempt(result.ok, delivery.attempts === 1 ? now - timeOfEvent(item.event) : undefined)
  const effects = settle(state, item, delivery, context)
  if (item.lane === 'test' || attempt.url !== endpoint.url) return effects
  adapt(state, result)
  return [...effects, ...rest(state, result, context), ...judgeEndpoint(state, endpoint, result, context)]
}

function isUnderWay(state: WebhookState, item: Item): boolean {
  return item.lane === 'test' ? state.tests.has(item) : state.lanes[item.lane].items.get(item.event.id) === item
}

/** This process had no room for it: that was no attempt, and it is tried again soon. */
function refused(state: WebhookState, item: Item, context: Context): readonly Effect[] {
  if (item.lane === 'test') {
    state.tests.delete(item)
    return reply(item, { type: 'busy' })
  }
  return pause(state, refusedPauseMs, context)
}

function pause(state: WebhookState, ms: number, context: Context): readonly Effect[] {
  state.pausedUntil = context.monotonic() + ms
  return [effect.schedule('pause', state.pausedUntil, { type: 'go-on' } satisfies WebhookEndpointMessage)]
}

/** What is behind a receiver that does nothing but fail waits for it to come back: each failure would be a row, and cost the others time. */
function rest(state: WebhookState, { ok }: Result, context: Context): readonly Effect[] {
  state.failuresInARow = ok ? 0 : state.failuresInARow + 1
  if (state.failuresInARow < limits.webhookFailuresInARow) return none
  state.allowed = 1
  return pause(state, limits.webhookFailingPauseMs, context)
}

/** The delivery is written, and with it the event is behind the endpoint. */
function settle(state: WebhookState, item: Item, delivery: WebhookDelivery, context: Context): readonly Effect[] {
  writtenNow(state, context).set(delivery.delivery_id, delivery)
  noteRetry(state, delivery.next_retry_at)
  const put = effect.put(webhookDeliveriesTable, delivery)
  if (item.lane === 'test') {
    state.tests.delete(item)
    return [put, ...reply(item, { type: 'delivery', delivery })]
  }
  const lane = state.lanes[item.lane]
  lane.items.delete(item.event.id)
  if (item.lane !== 'retry') lane.unstored++
  if (item.lane === 'replay') countReplayed(state)
  return [put, ...saveProgressIfDue(state, true)]
}

function reply({ replyTo }: Item, body: DeliveryReply): readonly Effect[] {
  return replyTo === undefined ? none : [effect.reply(replyTo, body)]
}

function adapt(state: WebhookState, { ok, silentMs }: Result): void {
  if (ok) state.allowed = Math.min(limits.webhookAttempts, state.allowed + 1)
  else if (silentMs === undefined) return
  else if (silentMs >= slowFailureMs) state.allowed = 1
  else state.allowed = Math.max(Math.min(state.allowed, limits.webhookFirstAttempts), state.allowed >> 1)
}
