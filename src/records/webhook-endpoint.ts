// A webhook endpoint of an organization, and how far it has got in the organization's events. Both are written by the
// endpoint's actor alone, so that there is one writer; its secrets never leave but in the answer that made them.

import { defineTable } from '../runtime/store/table.js'
import type { Alert } from './alert.js'

export const payloadFormats = ['a', 'b'] as const
/** The two published forms of a delivery: its envelope, its timeout and its retries. */
export type PayloadFormat = (typeof payloadFormats)[number]

/** gone: it answered 410. failing: nothing but failures for five days. */
export const disabledReasons = ['gone', 'failing'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export interface WebhookSecret {
  /** As the receiver has it; readable, because every delivery is signed with it. */
  readonly secret: string
  /** Wall ms, for one that another has taken the place of. */
  readonly valid_until?: number
}

export interface WebhookEndpoint {
  readonly endpoint_id: string
  readonly organization_id: string
  readonly url: string
  /** Names of events; `*` for all. */
  readonly events: readonly string[]
  /** False when paused by its owner, and when disabled by the service. */
  readonly active: boolean
  readonly payload_format: PayloadFormat
  readonly description?: string
  /** The newest first; never empty. */
  readonly secrets: readonly WebhookSecret[]
  readonly secret_rotated_at?: string
  readonly disabled_reason?: DisabledReason
  readonly disabled_at?: string
  readonly created_at: string
  readonly updated_at: string
}

export const webhookEndpointsTable = defineTable<WebhookEndpoint>({
  name: 'webhook_endpoints',
  key: (row) => [row.endpoint_id],
  importance: 'operation',
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    /** Those that events are sent to, of an organization and of all. */
    active: (row) => (row.active ? [{ group: [row.organization_id] }, { group: [] }] : []),
  },
  uncounted: ['active'],
})

/** A range of events that is being sent again. */
export interface WebhookReplay {
  /** Of the last event that is settled; the next one follows it. */
  readonly cursor: string
  /** The last event of the range is before this id. */
  readonly end: string
  readonly only_failed: boolean
  readonly types?: readonly string[]
  readonly from: string
  readonly to: string
  readonly started_at: string
  readonly sent: number
}

export interface WebhookProgress {
  readonly endpoint_id: string
  /** The newest event up to which all are settled: delivered, or stored as a delivery with its next attempt. */
  readonly cursor: string
  /** Steady ms of the first of the failures that no success has followed. */
  readonly failing_since?: number
  /** That is open about it. */
  readonly alert?: Alert
  readonly replay?: WebhookReplay
}

export const webhookProgressTable = defineTable<WebhookProgress>({
  name: 'webhook_progress',
  key: (row) => [row.endpoint_id],
  importance: 'operation',
})
