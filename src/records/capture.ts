// A capture: everything that one charge point and the service say to each other for a while, kept on disk, the unimportant included. It ends by
// its time or its size; nobody has to end it.

import { timeOfId } from '../runtime/ids.js'
import type { IndexEntry } from '../runtime/store/table.js'
import { defineTable } from '../runtime/store/table.js'
import type { ChargePoint } from './charge-point.js'
import type { Message } from './message.js'

export interface Capture {
  /** `cap_` and a ULID. */
  readonly capture_id: string
  readonly organization_id: string
  readonly charge_point_id: string
  readonly version: number
  /** `created_at` of the charge point, by which its registration is known; absent in captures of earlier versions. */
  readonly registered_at?: string
  readonly started_at: string
  /** When it ends at the latest. */
  readonly ends_at: string
  readonly megabytes: number
  readonly started_by: string
  /** Somebody has ended it. */
  readonly stopped_at?: string
}

export type CapturedMessage = Message & {
  readonly capture_id: string
  readonly bytes: number
}

/** How long a capture and what is in it are kept. */
export const capturesKeptMs = 7 * 24 * 3_600_000
export const bytesPerMegabyte = 1_000_000

export const capturesTable = defineTable<Capture>({
  name: 'captures',
  key: (row) => [row.capture_id],
  indexes: {
    byChargePoint: (row) => [{ group: [row.organization_id, row.charge_point_id] }],
    /** Those that nobody has ended, by when they end. */
    open: (row): readonly IndexEntry[] =>
      row.stopped_at === undefined
        ? [{ group: [row.organization_id], order: [Date.parse(row.ends_at), row.charge_point_id] }]
        : [],
  },
  retention: { timeOf: (row) => timeOfId(row.capture_id), milliseconds: capturesKeptMs },
})

export const capturedMessagesTable = defineTable<CapturedMessage>({
  name: 'captured_messages',
  key: (row) => [row.capture_id, row.id],
  indexes: {
    byCapture: (row) => [{ group: [row.capture_id] }],
    bytesOfCapture: (row) => [{ group: [row.capture_id], weight: row.bytes }],
    byChargePoint: (row) => [{ group: [row.organization_id, row.charge_point_id], order: [row.id] }],
  },
  uncounted: ['byChargePoint'],
  thinning: { keep: () => undefined, kept: () => false, seriesParts: 1 },
  // The rows of one capture stand together, in the order in which captures began.
  retention: { timeOf: (row) => timeOfId(row.capture_id), milliseconds: capturesKeptMs },
})

/** Whether it is of the charge point as it is registered now: one of before has ended with that. */
export function isOfRegistration({ registered_at }: Capture, { created_at }: Pick<ChargePoint, 'created_at'>): boolean {
  return registered_at === undefined || registered_at === created_at
}

/** When it ended, or ends, wall ms, but for its size. */
export function endOf({ ends_at, stopped_at }: Capture): number {
  return Math.min(Date.parse(ends_at), stopped_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(stopped_at))
}
