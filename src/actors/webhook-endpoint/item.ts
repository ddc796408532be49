// An event on its way to a receiver, and the lanes on which events are.

import type { WebhookDelivery } from '../../records/webhook-delivery.js'
import type { ReplyAddress } from '../../runtime/actor/actor.js'
import type { OutboxRow } from '../../runtime/actor/outbox.js'

/** The lanes, in the order in which they take turns where several have something to send. */
export const laneNames = ['retry', 'live', 'replay'] as const
export type LaneName = (typeof laneNames)[number]

/** An event on its way to the receiver. */
export interface Item {
  readonly lane: LaneName | 'test'
  readonly event: OutboxRow
  /** The id of the event that was read before it, subscribed to or not. */
  readonly after: string
  /** What is stored of earlier attempts. */
  readonly delivery: WebhookDelivery | undefined
  readonly replyTo?: ReplyAddress | undefined
  /** Where the attempt that is under way goes, and since when (wall ms). */
  attempt: { readonly url: string; readonly begunAt: number } | undefined
}
