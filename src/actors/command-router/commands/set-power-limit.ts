// set_power_limit: one charging profile per connector, under a fixed id, so that setting again replaces (OCPP 1.6, 5.16).

import { Type } from 'typebox'
import { callOf, setChargingProfile as message, writeTimestamp } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { connectorOrAll } from '../parameters.js'
import { powerLimitProfileId } from '../power-limit-profile.js'

/** A schedule that began a little ago leaves no gap where the charge point's clock is behind. */
const startedAgoMs = 60_000

export const setPowerLimit = defineCommand({
  name: 'set_power_limit',
  summary: 'Limit the power of a connector, or with 0 of the whole charge point',
  parameters: Type.Object({
    connector_id: connectorOrAll(),
    limit_watts: Type.Number({ minimum: 0, maximum: 10_000_000 }),
  }),
  call: ({ connector_id, limit_watts }, _chargePoint, now) =>
    callOf(message, {
      connectorId: connector_id,
      csChargingProfiles: {
        chargingProfileId: powerLimitProfileId(connector_id),
        stackLevel: 0,
        chargingProfilePurpose: connector_id === 0 ? 'ChargePointMaxProfile' : 'TxDefaultProfile',
        chargingProfileKind: 'Absolute',
        chargingSchedule: {
          startSchedule: writeTimestamp(now - startedAgoMs),
          chargingRateUnit: 'W',
          // At most one decimal, and never above what was asked for (OCPP 1.6, 7.14).
          chargingSchedulePeriod: [{ startPeriod: 0, limit: Math.floor(limit_watts * 10 + 1e-6) / 10 }],
        },
      },
    }),
})
