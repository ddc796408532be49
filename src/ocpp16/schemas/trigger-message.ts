// TriggerMessage: asks the charge point to send a message now (OCPP 1.6, 5.17).

import { type Static, Type } from 'typebox'
import { integer, optional, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const triggerMessage = defineMessage({
  action: 'TriggerMessage',
  from: 'central-system',
  profile: 'RemoteTrigger',
  request: Type.Object(
    {
      requestedMessage: Type.Enum([
        'BootNotification',
        'DiagnosticsStatusNotification',
        'FirmwareStatusNotification',
        'Heartbeat',
        'MeterValues',
        'StatusNotification',
      ]),
      // The field table says above 0, though 0 is the only way to ask for the state of the charge point itself.
      connectorId: optional(integer(0)),
    },
    strict,
  ),
  response: statusOnly(['Accepted', 'Rejected', 'NotImplemented']),
})

export type TriggerMessageRequest = Static<typeof triggerMessage.request>
export type TriggerMessageResponse = Static<typeof triggerMessage.response>
