// GetCompositeSchedule: asks which limit will be in force over a time to come (OCPP 1.6, 5.7).

import { type Static, Type } from 'typebox'
import { chargingRateUnit, chargingSchedule, dateTime, integer, optional, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const getCompositeSchedule = defineMessage({
  action: 'GetCompositeSchedule',
  from: 'central-system',
  profile: 'SmartCharging',
  request: Type.Object(
    { connectorId: integer(0), duration: integer(), chargingRateUnit: optional(chargingRateUnit) },
    strict,
  ),
  response: Type.Object(
    {
      status: Type.Enum(['Accepted', 'Rejected']),
      connectorId: optional(integer()),
      scheduleStart: optional(dateTime()),
      chargingSchedule: optional(chargingSchedule),
    },
    strict,
  ),
})

export type GetCompositeScheduleRequest = Static<typeof getCompositeSchedule.request>
export type GetCompositeScheduleResponse = Static<typeof getCompositeSchedule.response>
