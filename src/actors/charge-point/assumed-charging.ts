// A connector that a transaction runs on charges, also where the charge point tells no status of it. That is an assumption: it is kept
// apart from what was told, and ends with the next status of the connector, or with the transaction.

import type { ConnectorStatus } from '../../ocpp16/schemas/connector-status.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import { hasPlace } from '../../records/connector-count.js'
import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import { isPlausibleConnector } from './named-connectors.js'
import { keepRow, type State, saveRow } from './state.js'

const none: readonly Effect[] = []

/** Told before a start that nothing follows. One that is Preparing tells within seconds that it charges; the others go on as told. */
const restingStatuses: ReadonlySet<ConnectorStatus> = new Set(['Available', 'Reserved', 'Finishing'])

/** For a session that has just started; to be called before the row is saved for another reason, which then takes it along. */
export function assumeCharging(state: State, session: Session, context: Context): readonly Effect[] {
  const { connector_id, started_at } = session
  const told = state.row.connectors.find((connector) => connector.connector_id === connector_id)
  // A start that had waited in the charge point's queue is older than what was told meanwhile.
  const isTold = told !== undefined && (!restingStatuses.has(told.status) || told.timestamp > started_at)
  if (connector_id < 1 || isTold || !isPlausibleConnector(state, connector_id)) return none
  const others = withoutAssumption(state.row, connector_id).assumed_charging
  const assumed = others.map((one) => one.connector_id)
  if (!hasPlace(assumed, connector_id, limits.connectors)) return none
  return [saveRow(state, { assumed_charging: [...others, { connector_id, since: started_at }] }, context)]
}

export function isAssumed({ assumed_charging = [] }: ChargePointState, connectorId: number): boolean {
  return assumed_charging.some(({ connector_id }) => connector_id === connectorId)
}

/** What a row says where nothing is assumed of a connector any more. */
export function withoutAssumption({ assumed_charging = [] }: ChargePointState, connectorId: number) {
  return { assumed_charging: assumed_charging.filter(({ connector_id }) => connector_id !== connectorId) }
}

/** The transaction on the connector is over. */
export function assumeNoMore(state: State, connectorId: number): readonly Effect[] {
  return isAssumed(state.row, connectorId) ? [keepRow(state, withoutAssumption(state.row, connectorId))] : none
}
