// What routes read of charge points: those of the caller's organization, and how the rest of the API shows them.
// Another organization's charge point is as absent as one that does not exist.

import { type ChargePoint, chargePointsTable } from '../actors/records/charge-point.js'
import {
  type ChargePointState,
  type ConnectorState,
  chargePointStatesTable,
  chargePointStatus,
} from '../actors/records/charge-point-state.js'
import { AmpshardError } from '../runtime/errors.js'
import type { ReadView } from '../runtime/store.js'
import type { Principal } from './principal.js'
import type { Services } from './services.js'

export function findChargePoint(view: ReadView, principal: Principal, chargePointId: string): ChargePoint | undefined {
  const found = view.get(chargePointsTable, [chargePointId])
  return found?.organization_id === principal.organization.organization_id ? found : undefined
}

/** Throws `not_found`. */
export function ownChargePoint(view: ReadView, principal: Principal, chargePointId: string): ChargePoint {
  const found = findChargePoint(view, principal, chargePointId)
  if (found !== undefined) return found
  throw new AmpshardError('not_found', 'there is no such charge point', { chargePointId })
}

/** What the charge point has said while it was this organization's. */
export function stateOf(view: ReadView, chargePoint: ChargePoint): ChargePointState | undefined {
  const state = view.get(chargePointStatesTable, [chargePoint.charge_point_id])
  return state?.organization_id === chargePoint.organization_id ? state : undefined
}

export function isOnline(state: ChargePointState | undefined, run: number): boolean {
  return state?.connected === true && state.run === run
}

/** Connectors that a car can be plugged into; connector 0 is the charge point itself. */
export function outlets(state: ChargePointState | undefined): readonly ConnectorState[] {
  return (state?.connectors ?? []).filter((connector) => connector.connector_id > 0)
}

/** The stored object as callers see it: without secrets, with what is known of it now. */
export function chargePointView(chargePoint: ChargePoint, state: ChargePointState | undefined, services: Services) {
  const { authorization_key, previous_authorization_key, organization_id, version, ...shown } = chargePoint
  return {
    ...shown,
    status: chargePointStatus(state, services.run),
    online: isOnline(state, services.run),
    ocpp_endpoint: `${services.config.ocppUrl}/ocpp16/${chargePoint.charge_point_id}`,
    password_set: authorization_key !== undefined,
    last_seen_at: state?.last_seen_at ?? null,
    vendor: state?.boot?.vendor ?? null,
    model: state?.boot?.model ?? null,
    firmware_version: state?.boot?.firmware_version ?? null,
  }
}
