// Charging sessions as callers see them, and the schemas of what they see.

import { Type } from 'typebox'
import { energySoFar, plausibleEnergy } from '../actors/charge-point/energy.js'
import { chargePointsTable } from '../actors/records/charge-point.js'
import { meterValuesTable } from '../actors/records/meter-values.js'
import { type Session, sessionStatuses } from '../actors/records/session.js'
import type { ReadView } from '../runtime/store.js'
import { nullable, timestamp } from './schemas.js'

export const sessionSchema = Type.Object({
  session_id: Type.String(),
  transaction_id: Type.Integer(),
  charge_point_id: Type.String(),
  connector_id: Type.Integer(),
  id_tag: Type.String(),
  status: Type.Enum([...sessionStatuses]),
  started_at: timestamp(),
  ended_at: nullable(timestamp()),
  meter_start: Type.Integer({ description: 'Wh' }),
  meter_stop: nullable(Type.Integer({ description: 'Wh' })),
  energy_kwh: Type.Number({ description: 'of a running session, as last metered' }),
  stop_reason: nullable(Type.String()),
  cost: nullable(Type.Number()),
  currency: nullable(Type.String()),
  site_id: nullable(Type.String()),
  tariff_id: nullable(Type.String()),
  flags: Type.Array(Type.String()),
})

/** Some of the newest rows, because not every one has the energy register in it. */
const rowsLookedAt = 10

/** What a running session has taken as last metered, Wh: what an estimated close would count now. */
export function energyDeliveredWh(view: ReadView, session: Session, now: number): number {
  const rows = view.list(meterValuesTable, [session.session_id], { reverse: true, limit: rowsLookedAt })
  const metered = rows.find((row) => row.energy_wh !== undefined)?.energy_wh
  const maxPowerKw = view.get(chargePointsTable, [session.charge_point_id])?.max_power_kw ?? 0
  const suspect = session.flags.includes('clock_suspect')
  const plausibleWh = plausibleEnergy(maxPowerKw, Date.parse(session.started_at), now, suspect)
  return energySoFar(session.meter_start, metered, plausibleWh)
}

function energyWh(view: ReadView, session: Session, now: number): number {
  if (session.energy_wh !== undefined) return session.energy_wh
  if (session.meter_stop !== undefined) return Math.max(0, session.meter_stop - session.meter_start)
  return energyDeliveredWh(view, session, now)
}

export function sessionView(view: ReadView, session: Session, now: number) {
  return {
    session_id: session.session_id,
    transaction_id: session.transaction_id,
    charge_point_id: session.charge_point_id,
    connector_id: session.connector_id,
    id_tag: session.id_tag,
    status: session.status,
    started_at: session.started_at,
    ended_at: session.ended_at ?? null,
    meter_start: session.meter_start,
    meter_stop: session.meter_stop ?? null,
    energy_kwh: energyWh(view, session, now) / 1_000,
    stop_reason: session.stop_reason ?? null,
    cost: null,
    currency: null,
    site_id: session.site_id ?? null,
    tariff_id: null,
    flags: session.flags,
  }
}
