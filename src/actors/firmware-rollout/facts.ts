// What is known of a charge point when a rollout looks at it.

import { chargePointsTable } from '../../records/charge-point.js'
import { chargePointStatesTable } from '../../records/charge-point-state.js'
import type { RolloutChargePoint } from '../../records/firmware-rollout.js'
import { isOnline, type LiveNodes } from '../../records/presence.js'
import { sessionsTable } from '../../records/session.js'
import type { ReadView } from '../../runtime/store/store.js'
import type { Facts } from './progress.js'

/** Undefined for one that is no longer the organization's, or was registered anew. */
export function factsOf(row: RolloutChargePoint, view: ReadView, live: LiveNodes): Facts | undefined {
  const { charge_point_id, organization_id, registered_at } = row
  const chargePoint = view.get(chargePointsTable, [charge_point_id])
  if (chargePoint?.organization_id !== organization_id || chargePoint.created_at !== registered_at) return undefined
  const stored = view.get(chargePointStatesTable, [charge_point_id])
  // What another has said under this id before is not this one's.
  const state = stored?.organization_id === organization_id ? stored : undefined
  const { boot, connected_at } = state ?? {}
  return {
    isOnline: isOnline(state, live),
    isAccepted: state?.registration === 'Accepted',
    ...(connected_at !== undefined && { connectedAt: Date.parse(connected_at) }),
    ...(boot !== undefined && { bootedAt: Date.parse(boot.booted_at) }),
    ...(boot?.firmware_version !== undefined && { version: boot.firmware_version.trim() }),
    ...(boot?.serial_number !== undefined && { serialNumber: boot.serial_number }),
    isCharging: view.total(sessionsTable, 'activeAtChargePoint', [organization_id, charge_point_id]) > 0,
  }
}
