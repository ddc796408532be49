// set_charging_profile: SetChargingProfile (OCPP 1.6, 5.16).

import { Type } from 'typebox'
import { chargingProfile, setChargingProfile as message } from '../../../ocpp16/index.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { sessionsTable } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { connectorId } from '../../pipeline/schemas.js'
import { defineRaw } from './define-raw.js'

export const setChargingProfile = defineRaw(message, {
  summary: 'Install a charging profile',
  body: { connector_id: connectorId(0), charging_profile: chargingProfile },
  named: { csChargingProfiles: 'charging_profile' },
  payload({ connector_id, charging_profile }, chargePoint, services) {
    const transactionId =
      charging_profile.chargingProfilePurpose === 'TxProfile'
        ? (charging_profile.transactionId ?? onlyTransaction(services.view(), chargePoint, connector_id))
        : undefined
    const csChargingProfiles = { ...charging_profile, ...(transactionId !== undefined && { transactionId }) }
    return { connectorId: connector_id, csChargingProfiles }
  },
  repeats: ['connector_id'],
  answer: {
    fields: { charging_profile_id: Type.Integer() },
    of: ({ charging_profile }) => ({ charging_profile_id: charging_profile.chargingProfileId }),
  },
  example: {
    connector_id: 1,
    charging_profile: {
      chargingProfileId: 7,
      stackLevel: 0,
      chargingProfilePurpose: 'TxDefaultProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
    },
  },
})

/** A TxProfile names its transaction (OCPP 1.6, 5.16): the one that runs on the connector, where there is just one. */
function onlyTransaction(view: ReadView, chargePoint: ChargePoint, connector: number): number | undefined {
  const group = [chargePoint.organization_id, chargePoint.charge_point_id]
  const active = view
    .listBy(sessionsTable, 'activeAtChargePoint', group, { limit: 100 })
    .filter((session) => session.connector_id === connector)
  return active.length === 1 ? active[0]?.transaction_id : undefined
}
