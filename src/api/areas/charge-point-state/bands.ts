// What a charge point was in over a period, from the rows of its days: when it was connected, and the status of each connector. Pure.
//
// Uptime: a connector is up while its charge point is connected and it is neither Faulted nor Unavailable. Uptime is the time that connectors were up, by the
// time of which is known what they were in. Of a charge point that has said nothing of its connectors, it is the time that it was connected.

import type { ConnectorStatus } from '../../../ocpp16/schemas/connector-status.js'
import {
  type ChargePointDay,
  connectionChanges,
  dayMs,
  statusAt,
  statusChanges,
} from '../../../records/charge-point-day.js'

/** Wall ms. */
interface Span {
  readonly from: number
  readonly to: number
}

export interface ConnectionBand extends Span {
  readonly connected: boolean
}

export interface StatusBand extends Span {
  readonly connectorId: number
  readonly status: ConnectorStatus
}

export interface Bands {
  readonly connection: readonly ConnectionBand[]
  readonly statuses: readonly StatusBand[]
  /** How often a connection began in the period. */
  readonly connects: number
  /** Too much has changed on a day. */
  readonly isCut: boolean
}

/** What is known of it now. */
export interface Now {
  readonly at: number
  readonly connected: boolean
  /** Of one that is not connected: since when, where a row of its days does not say so because the service was interrupted. */
  readonly goneSince?: number
}

interface Held<Value> {
  readonly value: Value
  readonly since: number
}

/** `rows`: in their order, the first of them the one that holds at the beginning of the period. */
export function bandsOf(rows: readonly ChargePointDay[], { from, to }: Span, now: Now): Bands {
  const connection: ConnectionBand[] = []
  const statuses: StatusBand[] = []
  let connected: Held<boolean> | undefined
  const held = new Map<number, Held<number>>()
  let connects = 0
  let isCut = false

  const clipped = (since: number, until: number): Span | undefined => {
    const span = { from: Math.max(from, since), to: Math.min(to, until) }
    return span.to > span.from ? span : undefined
  }
  function endConnection(until: number): void {
    const span = connected && clipped(connected.since, until)
    if (connected !== undefined && span !== undefined) connection.push({ ...span, connected: connected.value })
    connected = undefined
  }
  function endStatus(connectorId: number, until: number): void {
    const holding = held.get(connectorId)
    const span = holding && clipped(holding.since, until)
    held.delete(connectorId)
    if (holding !== undefined && span !== undefined)
      statuses.push({ ...span, connectorId, status: statusAt(holding.value) })
  }

  for (const row of rows) {
    const begin = row.day * dayMs
    connected ??= { value: row.connected, since: begin }
    for (const [id, status] of row.statuses) if (!held.has(id)) held.set(id, { value: status, since: begin })
    for (const [second, began] of connectionChanges(row)) {
      const at = begin + second * 1_000
      if (began === 1 && at >= from && at < to) connects++
      if (connected?.value === (began === 1)) continue
      endConnection(at)
      connected = { value: began === 1, since: at }
    }
    for (const [second, id, status] of statusChanges(row)) {
      const at = begin + second * 1_000
      endStatus(id, at)
      held.set(id, { value: status, since: at })
    }
    if (row.cut_at !== undefined) {
      // What followed on that day is not known.
      const at = begin + row.cut_at * 1_000
      isCut = true
      endConnection(at)
      for (const id of [...held.keys()]) endStatus(id, at)
    }
  }
  const end = Math.min(to, now.at)
  if (connected?.value === true && !now.connected && now.goneSince !== undefined && now.goneSince > connected.since) {
    endConnection(now.goneSince)
    connected = { value: false, since: now.goneSince }
  }
  endConnection(end)
  for (const id of [...held.keys()]) endStatus(id, end)
  return { connection, statuses, connects, isCut }
}

export interface Uptime {
  readonly knownMs: number
  readonly upMs: number
  readonly offlineMs: number
}

const isUp = (status: ConnectorStatus): boolean => status !== 'Faulted' && status !== 'Unavailable'

export function uptimeOf({ connection, statuses }: Bands): Uptime {
  const lengthOf = ({ from, to }: Span): number => to - from
  const offlineMs = connection.filter(({ connected }) => !connected).reduce((sum, band) => sum + lengthOf(band), 0)
  if (statuses.length === 0) {
    const knownMs = connection.reduce((sum, band) => sum + lengthOf(band), 0)
    return { knownMs, upMs: knownMs - offlineMs, offlineMs }
  }
  let [knownMs, upMs] = [0, 0]
  for (const band of statuses) {
    // Bands of the connection follow each other: only those that are in this one are looked at.
    for (let at = firstEndingAfter(connection, band.from); at < connection.length; at++) {
      const { from, to, connected } = connection[at] as ConnectionBand
      if (from >= band.to) break
      const length = Math.min(band.to, to) - Math.max(band.from, from)
      knownMs += length
      if (connected && isUp(band.status)) upMs += length
    }
  }
  return { knownMs, upMs, offlineMs }
}

/** Of bands in order. */
function firstEndingAfter(bands: readonly Span[], time: number): number {
  let low = 0
  let high = bands.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((bands[middle] as Span).to <= time) low = middle + 1
    else high = middle
  }
  return low
}
