// What a charge point was in over a period, from the rows of its days: when it was connected, and the status of each connector. Pure. It is added up as rows
// come, one after the other, so that a long period is read in parts and nothing of it has to be kept; whoever wants the bands themselves is told each.
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

export interface Uptime {
  readonly knownMs: number
  readonly upMs: number
  readonly offlineMs: number
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

export interface Told {
  connection(band: ConnectionBand): void
  status(band: StatusBand): void
}

export interface DayReader {
  /** Rows in their order, the first of them the one that holds at the beginning of the period. */
  add(row: ChargePointDay): void
  end(): Uptime
}

interface Held<Value> {
  readonly value: Value
  readonly since: number
}

const isUp = (status: ConnectorStatus): boolean => status !== 'Faulted' && status !== 'Unavailable'

export function createDayReader({ from, to }: Span, now: Now, told?: Told): DayReader {
  let connected: Held<boolean> | undefined
  const held = new Map<number, Held<ConnectorStatus>>()
  /** Of them, those that are up. */
  let up = 0
  /** Until then, everything is added up. */
  let reached = Number.NEGATIVE_INFINITY
  let hasStatuses = false
  let [connectionMs, offlineMs, knownMs, upMs, connects] = [0, 0, 0, 0, 0]
  let isCut = false
  const gone = now.connected ? undefined : now.goneSince

  function addUp(until: number): void {
    if (until <= reached) return
    const length = Math.min(to, until) - Math.max(from, reached)
    reached = until
    if (length <= 0) return
    if (held.size > 0) hasStatuses = true
    if (connected === undefined) return
    connectionMs += length
    knownMs += held.size * length
    if (connected.value) upMs += up * length
    else offlineMs += length
  }
  function passTo(time: number): void {
    if (gone !== undefined && gone < time && connected?.value === true && gone > connected.since) {
      addUp(gone)
      connect(false)
    }
    addUp(time)
  }
  function bandSince(since: number): Span | undefined {
    const span = { from: Math.max(from, since), to: Math.min(to, reached) }
    return span.to > span.from ? span : undefined
  }
  function connect(value: boolean | undefined): void {
    const span = connected && bandSince(connected.since)
    if (connected !== undefined && span !== undefined) told?.connection({ ...span, connected: connected.value })
    connected = value === undefined ? undefined : { value, since: reached }
  }
  function hold(connectorId: number, value: ConnectorStatus | undefined): void {
    const before = held.get(connectorId)
    if (before !== undefined) {
      const span = bandSince(before.since)
      if (span !== undefined) told?.status({ ...span, connectorId, status: before.value })
      if (isUp(before.value)) up--
      held.delete(connectorId)
    }
    if (value === undefined) return
    held.set(connectorId, { value, since: reached })
    if (isUp(value)) up++
  }
  function forget(): void {
    connect(undefined)
    for (const id of [...held.keys()]) hold(id, undefined)
  }

  return {
    add(row) {
      const begin = row.day * dayMs
      passTo(begin)
      if (connected === undefined) connect(row.connected)
      for (const [id, status] of row.statuses) if (!held.has(id)) hold(id, statusAt(status))
      const connections = connectionChanges(row)
      const statuses = statusChanges(row)
      for (let [one, other] = [0, 0]; one < connections.length || other < statuses.length; ) {
        const connection = connections[one]
        const status = statuses[other]
        if (connection !== undefined && (status === undefined || connection[0] <= status[0])) {
          one++
          const at = begin + connection[0] * 1_000
          const began = connection[1] === 1
          passTo(at)
          if (began && at >= from && at < to) connects++
          if ((connected as Held<boolean> | undefined)?.value !== began) connect(began)
        } else if (status !== undefined) {
          other++
          passTo(begin + status[0] * 1_000)
          hold(status[1], statusAt(status[2]))
        }
      }
      if (row.cut_at === undefined) return
      // What followed on that day is not known.
      isCut = true
      passTo(begin + row.cut_at * 1_000)
      forget()
    },
    end() {
      passTo(Math.min(to, now.at))
      forget()
      const sums = hasStatuses ? { knownMs, upMs } : { knownMs: connectionMs, upMs: connectionMs - offlineMs }
      return { ...sums, offlineMs, connects, isCut }
    },
  }
}

export interface Bands extends Uptime {
  readonly connection: readonly ConnectionBand[]
  readonly statuses: readonly StatusBand[]
}

/** `rows` as `DayReader` takes them. */
export function bandsOf(rows: readonly ChargePointDay[], period: Span, now: Now): Bands {
  const connection: ConnectionBand[] = []
  const statuses: StatusBand[] = []
  const reader = createDayReader(period, now, {
    connection: (band) => connection.push(band),
    status: (band) => statuses.push(band),
  })
  for (const row of rows) reader.add(row)
  return { connection, statuses, ...reader.end() }
}
