// Meter values as messages: what was stored of them, under sessions and under connectors. Their frames are in memory only, and in captures.

import { meterValues } from '../../../ocpp16/index.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { connectorCount } from '../../../records/connector-count.js'
import { type MeterValues, meterValuesTable } from '../../../records/meter-values.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { stateOf } from '../charge-points/charge-points.js'
import { limits } from './limits.js'
import { idOf, type KnownMessage } from './message-view.js'
import { isSelected, type Selection } from './selection.js'

interface Period {
  /** Wall ms: `from` is part of it, `to` is not. */
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** The newest of the period, newest first: of its newest sessions, and of connectors outside of them. */
export function readMeter(
  view: ReadView,
  chargePoint: ChargePoint,
  selection: Selection,
  period: Period,
): KnownMessage[] {
  if (period.limit <= 0 || period.from >= period.to) return []
  const found = [
    ...ofSessions(view, chargePoint, selection, period),
    ...ofConnectors(view, chargePoint, selection, period),
  ]
  return found.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, period.limit)
}

function rowsOf(view: ReadView, owner: string, { from, to, limit }: Period): MeterValues[] {
  return view.list(meterValuesTable, [owner], { from: [from], to: [to], reverse: true, limit })
}

function ofSessions(view: ReadView, chargePoint: ChargePoint, selection: Selection, period: Period): KnownMessage[] {
  const { organization_id, charge_point_id } = chargePoint
  const found: KnownMessage[] = []
  const sessions = view.listBy(sessionsTable, 'startsAtChargePoint', [organization_id, charge_point_id], {
    to: [period.to],
    reverse: true,
    limit: limits.meteredSessionsPerRead,
  })
  /** The time of the oldest that has room on the page. */
  let oldest = period.from
  for (const session of sessions) {
    if (session.ended_at !== undefined && Date.parse(session.ended_at) < oldest) continue
    if (!concerns(selection, session)) continue
    const rows = rowsOf(view, session.session_id, { ...period, from: Math.max(period.from, oldest) })
    found.push(...rows.map((row) => messageOf(row, session.connector_id, session.transaction_id)))
    if (found.length < period.limit) continue
    found.sort((one, other) => other.at - one.at)
    oldest = Math.max(oldest, found[period.limit - 1]?.at ?? oldest)
  }
  return found
}

function concerns({ connector_id, transaction_id }: Selection, session: Session): boolean {
  if (connector_id !== undefined && session.connector_id !== connector_id) return false
  return transaction_id === undefined || session.transaction_id === transaction_id
}

function ofConnectors(view: ReadView, chargePoint: ChargePoint, selection: Selection, period: Period): KnownMessage[] {
  const count = Math.min(connectorCount(chargePoint, stateOf(view, chargePoint)) ?? 1, limits.meteredConnectors)
  const found: KnownMessage[] = []
  for (let connectorId = 0; connectorId <= count; connectorId++) {
    const owner = `${chargePoint.charge_point_id}/${connectorId}`
    for (const row of rowsOf(view, owner, period)) {
      const message = messageOf(row, connectorId)
      if (isSelected(selection, message)) found.push(message)
    }
  }
  return found
}

function messageOf(row: MeterValues, connectorId: number, transactionId?: number): KnownMessage {
  return {
    id: idOf(row.at, `meter/${row.owner}/${row.context}`),
    at: row.at,
    kind: 'meter',
    direction: 'in',
    action: meterValues.action,
    connector_id: connectorId,
    ...(transactionId !== undefined && { transaction_id: transactionId }),
    answer_type: 'none',
    source: 'meter',
    meter: { power_watts: row.power_watts ?? null, energy_wh: row.energy_wh ?? row.inlet_wh ?? null },
  }
}
