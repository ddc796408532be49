// What a running charge can have cost by a moment that nobody has metered yet: the newest reading, and what the charge point can
// have delivered since. Readings may be minutes apart, or never come.

import { chargePointsTable, maxPowerKwOf } from '../../records/charge-point.js'
import { type MeterValues, meterValuesTable } from '../../records/meter-values.js'
import type { Session } from '../../records/session.js'
import type { ReadView } from '../../runtime/store/store.js'
import { energyDeliveredWh } from '../charge-point/energy-delivered.js'
import type { Reading } from '../charge-point/registers.js'
import { priceSoFar } from '../charge-point/session-cost.js'
import { readingOf } from '../charge-point/session-register.js'

/** Of a charge point that is registered without its power. */
const usualWatts = 22_000
/** The power that was metered lately may rise a little; how long it is believed. */
const headroom = 1.25
const believedMs = 15 * 60_000
const rowsLookedAt = 10
const hourMs = 3_600_000

/** In the session's currency, with tax. `at` (wall ms) is not before `now`. */
export function foreseenCost(view: ReadView, session: Session, now: number, at: number): number {
  const energyWh = energyDeliveredWh(view, session) + possibleWh(view, session, now, at)
  // A session that cannot be priced now has the cost that was told last.
  return priceSoFar(view, session, { asOf: at, energyWh })?.total ?? session.cost_so_far ?? 0
}

/** What can have been delivered after the newest reading, until `at`. */
function possibleWh(view: ReadView, session: Session, now: number, at: number): number {
  const rows = view.list(meterValuesTable, [session.session_id], { reverse: true, limit: rowsLookedAt })
  const metered = rows.flatMap((row) => {
    const wh = readingOf(row, session.register?.inlet)
    return wh === undefined ? [] : [{ at: row.at, wh }]
  })
  const registration = view.get(chargePointsTable, [session.charge_point_id])
  const registered = (maxPowerKwOf(registration, session) ?? 0) * 1_000
  const fullWatts = registered > 0 ? registered : usualWatts
  const seen = seenWatts(rows, metered)
  const watts = seen === undefined ? fullWatts : Math.min(fullWatts, seen * headroom)
  // The newest reading may be further back than the rows that are looked at.
  const since = Math.min(now, metered[0]?.at ?? session.register?.at ?? Date.parse(session.started_at))
  // In the time to come, a vehicle that has paused may go on.
  const deliveredMs = Math.max(0, pausedSince(session, now) - since) + (at - now)
  const believed = Math.min(deliveredMs, believedMs)
  return (watts * believed + fullWatts * (deliveredMs - believed)) / hourMs
}

/** The more of what the newest rows say of the power, and of how the register has moved. */
function seenWatts(rows: readonly MeterValues[], metered: readonly Reading[]): number | undefined {
  const said = rows.find((row) => row.power_watts !== undefined)?.power_watts
  const [last, before] = metered
  const passedMs = last === undefined || before === undefined ? 0 : last.at - before.at
  const moved = passedMs > 0 ? (((last?.wh ?? 0) - (before?.wh ?? 0)) * hourMs) / passedMs : undefined
  if (said === undefined && moved === undefined) return undefined
  return Math.max(0, said ?? 0, moved ?? 0)
}

/** Since when nothing flows, as far as the connector has told; now, where it does. */
function pausedSince(session: Session, now: number): number {
  const last = session.statuses?.at(-1)
  const paused = last !== undefined && last.status !== 'Charging' && last.status !== 'Preparing'
  return paused ? Math.min(now, last.at) : now
}
