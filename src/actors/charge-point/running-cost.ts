// What running sessions cost so far: told at most once a minute, when a message has changed it. The last told figure is kept with the
// session, so that neither a restart nor a list has to work it out.

import type { Context, Effect } from '../../runtime/actor.js'
import { type MeterValues, meterValuesTable } from '../records/meter-values.js'
import type { Session } from '../records/session.js'
import { energySoFar } from './energy.js'
import { priceSoFar } from './session-cost.js'
import { sessionCostUpdated } from './session-events.js'
import { plausibleEnergyOf } from './sessions.js'
import { replaceSession, type State } from './state.js'

const none: readonly Effect[] = []
const toldEveryMs = 60_000
const rowsLookedAt = 10

/** `rows`: meter values of the message in hand, which the store does not have yet. */
export function updateCost(
  state: State,
  session: Session,
  rows: readonly MeterValues[],
  context: Context,
): readonly Effect[] {
  if (session.tariff_snapshot === undefined || session.status !== 'active') return none
  const now = context.now()
  // Either way: a clock that was set back must not silence the session.
  const toldAt = session.cost_told_at === undefined ? undefined : Date.parse(session.cost_told_at)
  if (toldAt !== undefined && Math.abs(now - toldAt) < toldEveryMs) return none
  const register = newestRegister(state, session.session_id, rows, context)
  const energyWh = energySoFar(session.meter_start, register, plausibleEnergyOf(state, session, now, false))
  const priced = priceSoFar(context.read(), session, { asOf: now, energyWh })
  if (priced === undefined || priced.total === session.cost_so_far) return none
  const told: Session = { ...session, cost_so_far: priced.total, cost_told_at: new Date(now).toISOString() }
  return [replaceSession(state, told), sessionCostUpdated(told, priced, told.cost_told_at as string)]
}

function newestRegister(
  state: State,
  sessionId: string,
  unstored: readonly MeterValues[],
  context: Context,
): number | undefined {
  const [last] = unstored.filter((row) => row.energy_wh !== undefined).slice(-1)
  // Mostly the message in hand has the newest of all, and the store need not be asked.
  if (last !== undefined && last.at === state.newestSamples.get(sessionId)) return last.energy_wh
  const stored = context.read().list(meterValuesTable, [sessionId], { reverse: true, limit: rowsLookedAt })
  let newest: MeterValues | undefined
  for (const row of [...stored.reverse(), ...unstored]) {
    if (row.energy_wh !== undefined && row.at >= (newest?.at ?? Number.NEGATIVE_INFINITY)) newest = row
  }
  return newest?.energy_wh
}
