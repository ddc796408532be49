// What a charge point and the service have said to each other, as far as it is worth keeping: a row is a request with its answer. Written by the
// charge-point actor in commits that happen anyway, or soon after; nobody is promised it, and a disk that fills up loses it first.

import type { AnswerType, Deviation, Direction, ExchangeKind } from '../ocpp16/index.js'
import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'

/** What was said before a row, since the row before it, and has no row of its own. */
export interface Unlogged {
  /** Wall ms. */
  readonly since: number
  readonly heartbeats: number
  readonly meter_values: number
  /** Beyond what is kept of one charge point in a minute. */
  readonly left_out: number
  readonly connections?: readonly ConnectionChange[]
}

export interface ConnectionChange {
  /** Wall ms. */
  readonly at: number
  readonly remote_address?: string
  /** Of its end; absent where it has begun. */
  readonly close?: { readonly code: number; readonly reason: string }
}

export interface Message {
  /** `msg_` and what sorts by time. */
  readonly id: string
  readonly organization_id: string
  readonly charge_point_id: string
  /** When the request came or was sent, wall ms. */
  readonly at: number
  readonly kind: ExchangeKind
  readonly direction: Direction
  readonly action?: string
  readonly message_id?: string
  readonly connector_id?: number
  readonly transaction_id?: number
  /** The frames, without secrets. */
  readonly request?: string
  readonly answer?: string
  /** The frames are longer than what is kept of them. */
  readonly cut?: true
  readonly answer_type: AnswerType
  readonly error_code?: string
  readonly milliseconds?: number
  readonly violations?: readonly Deviation[]
  readonly before?: Unlogged
}

export const defaultMessageDays = 3
const dayMs = 24 * 3_600_000

export const messagesTable = defineTable<Message>({
  name: 'messages',
  key: (row) => [row.id],
  indexes: { byChargePoint: (row) => [{ group: [row.organization_id, row.charge_point_id] }] },
  uncounted: ['byChargePoint'],
  // Nothing is kept of it while space is low.
  thinning: { keep: () => undefined, kept: () => false, seriesParts: 1 },
  retention: { timeOf: (row) => timeOfId(row.id), milliseconds: defaultMessageDays * dayMs },
})
