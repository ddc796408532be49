// How many connectors a charge point has: what its operator said, and what it has shown since by naming more of them. Each part has
// one writer, the API and the charge point's actor; what they amount to is worked out here.

import type { ChargePoint } from './charge-point.js'
import { type ChargePointState, outlets } from './charge-point-state.js'

/** What a charge point can grow to by naming connectors: a larger id is an error of its firmware. */
export const mostNamedConnectors = 100

type Told = Pick<ChargePointState, 'connectors' | 'assumed_charging' | 'named_connectors'> | undefined

/** Undefined: nobody has said, and the charge point, which registered itself, has named none yet. */
export function connectorCount(chargePoint: ChargePoint, told: Told): number | undefined {
  const { connector_count, connector_count_changes = 0 } = chargePoint
  const named = told?.named_connectors
  // What it had named before the operator changed the count is what the operator has corrected.
  const highest = named?.count_changes === connector_count_changes ? named.highest : 0
  if (connector_count !== undefined) return Math.max(connector_count, highest)
  const reported = (told?.connectors ?? []).map(({ connector_id }) => connector_id).filter(isNameable)
  const count = Math.max(0, highest, ...reported)
  return count === 0 ? undefined : count
}

/**
 * Those that the charge point has beyond what its operator declared, so that a total over many of both is their sum. A connector that it
 * has reported counts, too, where the operator has corrected the count to less.
 */
export function undeclaredConnectors(chargePoint: ChargePoint, told: NonNullable<Told>): number {
  const count = Math.max(connectorCount(chargePoint, told) ?? 0, outlets(told).length)
  return Math.max(0, count - (chargePoint.connector_count ?? 0))
}

/** False only where the count is known and the charge point has never named the connector. */
export function mayHaveConnector(chargePoint: ChargePoint, told: Told, connectorId: number): boolean {
  const count = connectorCount(chargePoint, told)
  if (count === undefined || connectorId <= count) return true
  return told?.connectors.some(({ connector_id }) => connector_id === connectorId) === true
}

/** Whether a connector has, or can be given, a place in a row that keeps something of at most `most` of them. */
export function hasPlace(taken: readonly number[], connectorId: number, most: number): boolean {
  return connectorId === 0 || taken.includes(connectorId) || taken.filter((id) => id > 0).length < most
}

export function isNameable(connectorId: number): boolean {
  return connectorId >= 1 && connectorId <= mostNamedConnectors
}
