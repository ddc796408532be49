// StatusNotification: the state of a connector, or with connector 0 of the charge point (OCPP 1.6, 4.9).

import { type Static, Type } from 'typebox'
import { ciString, dateTime, emptyPayload, integer, optional, strict } from './common.js'
import { connectorStatuses } from './connector-status.js'
import { defineMessage } from './define-message.js'

export const statusNotification = defineMessage({
  action: 'StatusNotification',
  from: 'charge-point',
  profile: 'Core',
  section: '6.47',
  request: Type.Object(
    {
      connectorId: integer(0),
      errorCode: Type.Enum([
        'ConnectorLockFailure',
        'EVCommunicationError',
        'GroundFailure',
        'HighTemperature',
        'InternalError',
        'LocalListConflict',
        'NoError',
        'OtherError',
        'OverCurrentFailure',
        'OverVoltage',
        'PowerMeterFailure',
        'PowerSwitchFailure',
        'ReaderFailure',
        'ResetFailure',
        'UnderVoltage',
        'WeakSignal',
      ]),
      status: Type.Enum([...connectorStatuses]),
      info: optional(ciString(50)),
      timestamp: optional(dateTime()),
      vendorId: optional(ciString(255)),
      vendorErrorCode: optional(ciString(50)),
    },
    strict,
  ),
  response: emptyPayload,
  requestRepairs: {
    errorCode: { fallback: 'NoError', unknown: 'OtherError' },
    // OCPP 1.5's; with an open transaction it means Charging, which only the reader of the violation can know.
    status: { aliases: { occupied: 'Preparing' } },
  },
})

export type StatusNotificationRequest = Static<typeof statusNotification.request>
export type StatusNotificationResponse = Static<typeof statusNotification.response>
export type ChargePointStatus = StatusNotificationRequest['status']
export type ChargePointErrorCode = StatusNotificationRequest['errorCode']
