// The draw of each connector as last metered, and their sum, which fleet figures show. It ends with the session and the socket.

import { hasPlace } from '../../records/connector-count.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import { type State, saveRow } from './state.js'

const none: readonly Effect[] = []
const notableShare = 0.05
const notableWatts = 50

/** Saved when it has changed enough to be seen. */
export function notePower(state: State, connectorId: number, watts: number, context: Context): readonly Effect[] {
  const before = state.row.power_by_connector?.[connectorId] ?? 0
  if (Math.abs(watts - before) <= Math.max(notableWatts, before * notableShare)) return none
  const metered = Object.keys(state.row.power_by_connector ?? {}).map(Number)
  if (!hasPlace(metered, connectorId, limits.connectors)) return none
  return savePower(state, { ...state.row.power_by_connector, [connectorId]: watts }, context)
}

/** The session on the connector is over: it draws nothing more, whatever was metered last. */
export function endPower(state: State, connectorId: number, context: Context): readonly Effect[] {
  const { [connectorId]: ended, ...others } = state.row.power_by_connector ?? {}
  return ended === undefined ? none : savePower(state, others, context)
}

/** What a row says of a charge point that draws nothing that is known. */
export const noPower = { power_watts: 0, power_by_connector: {} }

function savePower(state: State, power: Readonly<Record<string, number>>, context: Context): readonly Effect[] {
  const sum = Object.values(power).reduce((total, watts) => total + watts, 0)
  return [saveRow(state, { power_watts: sum, power_by_connector: power }, context)]
}
