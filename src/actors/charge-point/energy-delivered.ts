// What a running session has taken as last metered, read from the store: for whoever prices it without being its charge point.

import type { ReadView } from '../../runtime/store.js'
import { chargePointsTable } from '../records/charge-point.js'
import { meterValuesTable } from '../records/meter-values.js'
import type { Session } from '../records/session.js'
import { energySoFar, plausibleEnergy } from './energy.js'

/** Some of the newest rows, because not every one has the energy register in it. */
const rowsLookedAt = 10

/** Wh: what an estimated close would count now. */
export function energyDeliveredWh(view: ReadView, session: Session, now: number): number {
  const rows = view.list(meterValuesTable, [session.session_id], { reverse: true, limit: rowsLookedAt })
  const metered = rows.find((row) => row.energy_wh !== undefined)?.energy_wh
  const maxPowerKw = view.get(chargePointsTable, [session.charge_point_id])?.max_power_kw ?? 0
  const suspect = session.flags.includes('clock_suspect')
  const plausibleWh = plausibleEnergy(maxPowerKw, Date.parse(session.started_at), now, suspect)
  return energySoFar(session.meter_start, metered, plausibleWh)
}
