// One event for one webhook endpoint, and what came of the attempts to deliver it. Written with the result of each attempt.

import { createHash } from 'node:crypto'
import { timeOfId } from '../runtime/ids.js'
import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface WebhookDelivery {
  /** The ULID of its event, under a prefix of its own. */
  readonly delivery_id: string
  readonly endpoint_id: string
  /** The event's name. */
  readonly event: string
  readonly status: DeliveryStatus
  readonly attempts: number
  /** Attempts since it was last replayed: the schedule counts these. */
  readonly run: number
  /** Of the last attempt: the HTTP status, if there was an answer; else what went wrong. */
  readonly response_code?: number
  readonly error?: string
  /** Wall ms, as `delivered_at`. */
  readonly last_attempted_at?: number
  /** Steady ms. */
  readonly next_retry_at?: number
  readonly delivered_at?: number
}

export const deliveriesKeptMs = 30 * 24 * 3_600_000

export const webhookDeliveriesTable = defineTable<WebhookDelivery>({
  name: 'webhook_deliveries',
  // Rows are added at the end and pruned at the beginning, whichever endpoint's they are.
  key: (row) => [row.delivery_id, row.endpoint_id],
  importance: 'operation',
  indexes: {
    byEndpoint: (row) => [{ group: [row.endpoint_id] }],
    byStatus: (row) => [{ group: [row.endpoint_id, row.status] }],
    byRetry: (row) =>
      row.next_retry_at === undefined ? [] : [{ group: [row.endpoint_id], order: [row.next_retry_at] }],
  },
  uncounted: ['byRetry'],
  retention: { timeOf: (row) => timeOfId(row.delivery_id), milliseconds: deliveriesKeptMs },
})

const eventPrefix = 'evt_'
const deliveryPrefix = 'dlv_'

export function deliveryIdOf(eventId: string): string {
  return deliveryPrefix + eventId.slice(eventPrefix.length)
}

export function eventIdOf(deliveryId: string): string {
  return eventPrefix + deliveryId.slice(deliveryPrefix.length)
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** A ULID's digits that are chance, at its end. */
const chanceDigits = 16

/**
 * The id of a delivery as callers see it: unique for each endpoint, though rows have the id of their event. Its chance is mixed with the
 * endpoint's id, so mixing it again gives the row's id. The time stays in front.
 */
export function mixedDeliveryId(deliveryId: string, endpointId: string): string {
  const from = deliveryId.length - chanceDigits
  const mask = createHash('sha256').update(endpointId).digest()
  return [...deliveryId]
    .map((character, at) => {
      const digit = digits.indexOf(character)
      return at < from || digit === -1 ? character : digits[digit ^ ((mask[at - from] as number) & 31)]
    })
    .join('')
}

/** Of a delivery by the id that callers see, or by that of its row, which they saw before. */
export function findDelivery(view: ReadView, deliveryId: string, endpointId: string): WebhookDelivery | undefined {
  const get = (id: string) => view.get(webhookDeliveriesTable, [id, endpointId])
  return get(mixedDeliveryId(deliveryId, endpointId)) ?? get(deliveryId)
}
