// What a charge point is registered with in tests: as the body of the request, and as the row that comes of it.

import type { ChargePoint, Installed, InstalledChargePoint } from '../../src/records/charge-point.js'

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

export const installerId = 'ins_1'

/** The row of one that an installer has registered, and that no organization has claimed. */
export function installedRow(chargePointId: string, fields: Partial<Installed> = {}): InstalledChargePoint {
  const {
    connector_count: _,
    max_power_kw: __,
    ...row
  } = registeredRow(chargePointId, { organization_id: installerId })
  return {
    ...row,
    latitude: 0,
    longitude: 0,
    address: '',
    serial_number: `SN-${chargePointId}`,
    installed: {
      installer_id: installerId,
      model: 'One',
      vendor: 'Example',
      serial_number: `SN-${chargePointId}`,
      project_id: 'Quayside',
      registered_at: row.created_at,
      ...fields,
    },
  }
}

/** The same row once an organization has claimed it. */
export function claimedRow(before: InstalledChargePoint, fields: Partial<ChargePoint> = {}): InstalledChargePoint {
  return { ...before, organization_id: 'org_2', version: before.version + 1, ...details, ...fields }
}
