// What a webhook endpoint's actor holds in memory: its rows, the events that it is at, and what it has found out about its receiver.
// All of it but the rows may be lost: what is not settled is read and attempted again.

import { type WebhookDelivery, webhookDeliveriesTable } from '../../records/webhook-delivery.js'
import {
  type WebhookEndpoint,
  type WebhookProgress,
  webhookEndpointsTable,
  webhookProgressTable,
} from '../../records/webhook-endpoint.js'
import type { Context, ReplyAddress } from '../../runtime/actor/actor.js'
import { wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import { type Item, type LaneName, laneNames } from './item.js'
import { limits } from './limits.js'
import { webhookEndpointKind } from './messages.js'

export interface Lane {
  /** By event id, as they were read; they leave when they are settled. */
  readonly items: Map<string, Item>
  /** The id of the newest event that was read. */
  seen: string
  /** There may be events behind it. */
  more: boolean
  /** Events that were read or settled since the place of the lane was stored. */
  unstored: number
  underWay: number
}

export interface WebhookState {
  endpoint: WebhookEndpoint | undefined
  progress: WebhookProgress
  readonly lanes: Readonly<Record<LaneName, Lane>>
  /** Who has begun last of them. */
  lastLane: LaneName
  readonly tests: Set<Item>
  /** Subjects with an attempt under way: there is one at a time. */
  readonly busySubjects: Set<string>
  underWay: number
  /** How many may be: fewer while the receiver is slow to fail. */
  allowed: number
  /** Since the last success. */
  failuresInARow: number
  /** Events up to this id may have a delivery already, from before the actor was loaded. */
  readonly deliveredUpTo: string
  /** A write goes before the first attempt since the actor was loaded: a store that takes none must not have it repeated. */
  hasWritten: boolean
  /** Monotonic ms until which nothing is sent, because this process has no room for it, or because the receiver does nothing but fail. */
  pausedUntil: number
  /** The earliest retry, steady ms. */
  nextRetryAt: number | undefined
  timerAt: number | undefined
  /** Steady ms of the stored wake-up. */
  wakeAt: number | undefined
  written: { readonly turn: number; readonly deliveries: Map<string, WebhookDelivery> }
}

export const retryWakeUp = 'retry'

function newLane(seen: string): Lane {
  return { items: new Map(), seen, more: true, unstored: 0, underWay: 0 }
}

export function emptyLane(lane: Lane, seen: string): void {
  Object.assign(lane, newLane(seen), { items: lane.items })
  lane.items.clear()
}

export function loadState(context: Context): WebhookState {
  const view = context.read()
  const id = context.id
  const progress = view.get(webhookProgressTable, [id]) ?? { endpoint_id: id, cursor: '' }
  const newest = view.listBy(webhookDeliveriesTable, 'byEndpoint', [id], { reverse: true, limit: 1 })[0]
  return {
    endpoint: view.get(webhookEndpointsTable, [id]),
    progress,
    lanes: {
      retry: newLane(''),
      live: newLane(progress.cursor),
      replay: newLane(progress.replay?.cursor ?? ''),
    },
    lastLane: 'replay',
    tests: new Set(),
    busySubjects: new Set(),
    underWay: 0,
    allowed: progress.failing_since === undefined ? limits.webhookFirstAttempts : 1,
    failuresInARow: progress.failing_since === undefined ? 0 : limits.webhookFailuresInARow,
    deliveredUpTo: newest?.delivery_id ?? '',
    hasWritten: false,
    pausedUntil: 0,
    nextRetryAt: view.listBy(webhookDeliveriesTable, 'byRetry', [id], { limit: 1 })[0]?.next_retry_at,
    timerAt: undefined,
    wakeAt: view.get(wakeUpsTable, [webhookEndpointKind, id, retryWakeUp])?.at,
    written: { turn: context.turn, deliveries: new Map() },
  }
}

/** Deliveries that this very turn has written: the view does not show them yet. */
export function writtenNow(state: WebhookState, context: Context): Map<string, WebhookDelivery> {
  if (state.written.turn !== context.turn) state.written = { turn: context.turn, deliveries: new Map() }
  return state.written.deliveries
}

export function isAtRest({ endpoint, lanes, tests, underWay }: WebhookState): boolean {
  if (tests.size + underWay > 0) return false
  // What a paused endpoint has not sent is read again when it goes on.
  return endpoint?.active !== true || laneNames.every((name) => lanes[name].items.size === 0)
}

/** Who waits for the outcome of a test event. */
export function testers({ tests }: WebhookState): readonly ReplyAddress[] {
  return [...tests].flatMap(({ replyTo }) => replyTo ?? [])
}
