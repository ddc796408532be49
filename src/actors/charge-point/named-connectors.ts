// What the connectors that a charge point names in its messages say of how many it has. A connector beyond the count raises it, on disk,
// once; an absurd number raises nothing.

import { connectorCount, hasPlace, isNameable, mostNamedConnectors } from '../../records/connector-count.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import { type State, saveRow } from './state.js'

const none: readonly Effect[] = []

/** Undefined while it is not known. */
export function connectorCountOf({ registration, row }: State): number | undefined {
  return registration === undefined ? undefined : connectorCount(registration, row)
}

/** To be called before the row is saved for another reason, which then takes it along. */
export function noteConnector(state: State, connectorId: number, context: Context): readonly Effect[] {
  const { registration, row } = state
  if (registration === undefined || !isNameable(connectorId)) return none
  const { connector_count_changes: count_changes = 0 } = registration
  if (connectorId <= (connectorCount(registration, row) ?? 0)) return none
  return [saveRow(state, { named_connectors: { highest: connectorId, count_changes } }, context)]
}

/** Whether there is room for its status in the row, where the operator has declared more connectors than are stored. */
export function hasPlaceForStatus({ row }: State, connectorId: number): boolean {
  const stored = row.connectors.map(({ connector_id }) => connector_id)
  return hasPlace(stored, connectorId, limits.connectors)
}

/** How many sessions can run at a time: one on each connector. */
export function mostOpenSessions({ registration }: State): number {
  return Math.max(mostNamedConnectors, registration?.connector_count ?? 0)
}

/** A connector that the charge point can have. */
export function isPlausibleConnector({ registration }: State, connectorId: number): boolean {
  return connectorId <= Math.max(mostNamedConnectors, registration?.connector_count ?? 0)
}
