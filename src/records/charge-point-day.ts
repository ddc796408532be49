// What a charge point was in on one day of UTC: when it was connected, what its connectors said, and what was charged there. A day on which nothing has
// changed has no row: what held before goes on. Written by the charge point's actor alone, with the state that changes; what it has sent is counted apart.

import { type ConnectorStatus, connectorStatuses } from '../ocpp16/schemas/connector-status.js'
import { defineTable } from '../runtime/store/table.js'

export const dayMs = 86_400_000
const keptMs = 400 * dayMs

/** Days since 1970. */
export const dayOf = (at: number): number => Math.floor(at / dayMs)

/** Second of the day, and whether a connection began (1) or ended (0). One that began while another lasted has taken its place. */
export type ConnectionChange = readonly [second: number, began: 0 | 1]
/** Second of the day, and what the connector said, as a place in `connectorStatuses`. */
export type StatusChange = readonly [second: number, connectorId: number, status: number]

export interface ChargePointDay {
  /** Whose it was then. */
  readonly organization_id: string
  readonly charge_point_id: string
  readonly day: number
  /** Before the first change of the day. */
  readonly connected: boolean
  readonly statuses: readonly (readonly [connectorId: number, status: number])[]
  /** In bytes, because the row is written anew with each change; absent where there was none. */
  readonly connection_changes?: Uint8Array
  readonly status_changes?: Uint8Array
  /** From this second on, changes were left out: there were too many. */
  readonly cut_at?: number
  /** Of sessions that ended on this day. */
  readonly sessions: number
  readonly energy_wh: number
}

/** Wall ms. */
function endOf({ day }: { readonly day: number }): number {
  return (day + 1) * dayMs
}

/** Changes of each kind that are kept of a day. */
export const mostChangesOfDay = 400

export const chargePointDaysTable = defineTable<ChargePointDay>({
  name: 'charge_point_days',
  key: (row) => [row.organization_id, row.charge_point_id, row.day],
  importance: 'operation',
  indexes: { byEnd: (row) => [{ group: [], order: [endOf(row)] }] },
  uncounted: ['byEnd'],
  listedByKey: true,
  retention: { timeOf: endOf, index: 'byEnd', milliseconds: keptMs },
})

/** What it has sent on the day. Noted with its sign of life, so that what came in the last half minute may be lost. */
export interface ChargePointCounts {
  readonly organization_id: string
  readonly charge_point_id: string
  readonly day: number
  readonly messages: number
  readonly heartbeats: number
}

export const chargePointCountsTable = defineTable<ChargePointCounts>({
  name: 'charge_point_counts',
  key: (row) => [row.organization_id, row.charge_point_id, row.day],
  indexes: { byEnd: (row) => [{ group: [], order: [endOf(row)] }] },
  uncounted: ['byEnd'],
  listedByKey: true,
  retention: { timeOf: endOf, index: 'byEnd', milliseconds: keptMs },
})

const connectionBytes = 4
const statusBytes = 6

/** How many changes are in the bytes. */
export const connectionsIn = (bytes: Uint8Array | undefined): number => (bytes?.length ?? 0) / connectionBytes
export const statusesIn = (bytes: Uint8Array | undefined): number => (bytes?.length ?? 0) / statusBytes

export function withConnectionChanges(before: Uint8Array | undefined, added: readonly ConnectionChange[]): Uint8Array {
  const bytes = room(before, added.length * connectionBytes)
  let at = before?.length ?? 0
  for (const [second, began] of added) {
    bytes.writeUIntBE(second, at, 3)
    bytes.writeUInt8(began, at + 3)
    at += connectionBytes
  }
  return bytes
}

export function withStatusChanges(before: Uint8Array | undefined, added: readonly StatusChange[]): Uint8Array {
  const bytes = room(before, added.length * statusBytes)
  let at = before?.length ?? 0
  for (const [second, connectorId, status] of added) {
    bytes.writeUIntBE(second, at, 3)
    bytes.writeUInt16BE(connectorId, at + 3)
    bytes.writeUInt8(status, at + 5)
    at += statusBytes
  }
  return bytes
}

function room(before: Uint8Array | undefined, more: number): Buffer {
  const bytes = Buffer.alloc((before?.length ?? 0) + more)
  if (before !== undefined) bytes.set(before)
  return bytes
}

export function connectionChanges({ connection_changes: stored = none }: ChargePointDay): readonly ConnectionChange[] {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  return Array.from({ length: connectionsIn(stored) }, (_, at) => [
    bytes.readUIntBE(at * connectionBytes, 3),
    bytes.readUInt8(at * connectionBytes + 3) === 1 ? 1 : 0,
  ])
}

export function statusChanges({ status_changes: stored = none }: ChargePointDay): readonly StatusChange[] {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  return Array.from({ length: statusesIn(stored) }, (_, at) => [
    bytes.readUIntBE(at * statusBytes, 3),
    bytes.readUInt16BE(at * statusBytes + 3),
    bytes.readUInt8(at * statusBytes + 5),
  ])
}

const none = new Uint8Array()

const places = new Map(connectorStatuses.map((status, at) => [status, at]))

export const placeOfStatus = (status: ConnectorStatus): number => places.get(status) ?? 0
export const statusAt = (place: number): ConnectorStatus => connectorStatuses[place] ?? 'Unavailable'
