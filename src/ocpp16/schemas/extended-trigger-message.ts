// ExtendedTriggerMessage: asks the charge point to send a message now, those of the security extension among them (security extension, A02).

import { type Static, Type } from 'typebox'
import { integer, optional, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const extendedTriggerMessage = defineMessage({
  action: 'ExtendedTriggerMessage',
  from: 'central-system',
  profile: 'Security',
  request: Type.Object(
    {
      requestedMessage: Type.Enum([
        'BootNotification',
        'LogStatusNotification',
        'FirmwareStatusNotification',
        'Heartbeat',
        'MeterValues',
        'SignChargePointCertificate',
        'StatusNotification',
      ]),
      // The field table says above 0, though 0 is the only way to ask for the state of the charge point itself.
      connectorId: optional(integer(0)),
    },
    strict,
  ),
  response: statusOnly(['Accepted', 'Rejected', 'NotImplemented']),
})

export type ExtendedTriggerMessageRequest = Static<typeof extendedTriggerMessage.request>
export type ExtendedTriggerMessageResponse = Static<typeof extendedTriggerMessage.response>
