// What a charge point is registered with in tests: as the body of the request, and as the row that comes of it.

import type { ChargePoint } from '../../src/records/charge-point.js'

type Fields = Readonly<Record<string, unknown>>

const details = {
  latitude: 52.5,
  longitude: 13.4,
  address: 'Somewhere 1',
  connector_count: 2,
  max_power_kw: 22,
}

/** The body of `POST /api/v1/chargepoints`. */
export function registrationOf(chargePointId: string, fields: Fields = {}): Fields {
  return { charge_point_id: chargePointId, name: `Charge point ${chargePointId}`, ...details, ...fields }
}

/** The row of one that org_1 has registered. */
export function registeredRow(chargePointId: string, fields: Partial<ChargePoint> = {}): ChargePoint {
  const at = '2026-11-01T00:00:00.000Z'
  return {
    charge_point_id: chargePointId,
    organization_id: 'org_1',
    version: 1,
    name: chargePointId,
    ...details,
    created_at: at,
    updated_at: at,
    ...fields,
  }
}
