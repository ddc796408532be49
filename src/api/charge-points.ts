// What routes read of charge points: those of the caller's organization, and how the rest of the API shows them.
// Another organization's charge point is as absent as one that does not exist.

import { type ChargePoint, chargePointsTable, withoutReplacedKeys } from '../actors/records/charge-point.js'
import {
  type ChargePointState,
  type ConnectorState,
  chargePointStatesTable,
  chargePointStatus,
} from '../actors/records/charge-point-state.js'
import { connectorCount, mayHaveConnector } from '../actors/records/connector-count.js'
import { AmpshardError } from '../runtime/errors.js'
import type { ReadView } from '../runtime/store.js'
import type { Principal } from './principal.js'
import type { Services } from './services.js'
import { invalid } from './steps/validate.js'

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

/** Throws `validation_error` for a connector that the charge point cannot have, as far as is known. */
export function requireConnector(
  view: ReadView,
  chargePoint: ChargePoint,
  connectorId: number,
  path = '/connector_id',
): void {
  const state = stateOf(view, chargePoint)
  if (mayHaveConnector(chargePoint, state, connectorId)) return
  const count = connectorCount(chargePoint, state)
  throw invalid([{ path, message: `is not a connector of the charge point, which has ${count}` }])
}

/** The stored object as callers see it: without secrets, with what is known of it now. */
export function chargePointView(chargePoint: ChargePoint, state: ChargePointState | undefined, services: Services) {
  const { authorization_key, organization_id, version, connector_count_changes, ...shown } =
    withoutReplacedKeys(chargePoint)
  return {
    ...shown,
    connector_count: connectorCount(chargePoint, state) ?? null,
    max_power_kw: chargePoint.max_power_kw ?? null,
    site_id: chargePoint.site_id ?? null,
    serial_number: chargePoint.serial_number ?? null,
    certificate_required: chargePoint.certificate_required ?? null,
    registration: chargePoint.registration ?? null,
    ping_interval_seconds: chargePoint.ping_interval_seconds ?? null,
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
