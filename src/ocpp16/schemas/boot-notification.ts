// BootNotification: a charge point presents itself after start-up (OCPP 1.6, 4.2).

import { type Static, Type } from 'typebox'
import { ciString, dateTime, integer, optional, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const bootNotification = defineMessage({
  action: 'BootNotification',
  from: 'charge-point',
  profile: 'Core',
  section: '6.3',
  request: Type.Object(
    {
      chargePointVendor: ciString(20),
      chargePointModel: ciString(20),
      chargePointSerialNumber: optional(ciString(25)),
      // Deprecated by the standard, and still sent.
      chargeBoxSerialNumber: optional(ciString(25)),
      firmwareVersion: optional(ciString(50)),
      iccid: optional(ciString(20)),
      imsi: optional(ciString(20)),
      meterType: optional(ciString(25)),
      meterSerialNumber: optional(ciString(25)),
    },
    strict,
  ),
  response: Type.Object(
    { status: Type.Enum(['Accepted', 'Pending', 'Rejected']), currentTime: dateTime(), interval: integer() },
    strict,
  ),
  requestRepairs: { chargePointVendor: { fallback: '' }, chargePointModel: { fallback: '' } },
})

export type BootNotificationRequest = Static<typeof bootNotification.request>
export type BootNotificationResponse = Static<typeof bootNotification.response>
