// UnlockConnector: frees a stuck cable (OCPP 1.6, 5.18).

import { type Static, Type } from 'typebox'
import { integer, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const unlockConnector = defineMessage({
  action: 'UnlockConnector',
  from: 'central-system',
  profile: 'Core',
  request: Type.Object({ connectorId: integer(1) }, strict),
  response: statusOnly(['Unlocked', 'UnlockFailed', 'NotSupported']),
})

export type UnlockConnectorRequest = Static<typeof unlockConnector.request>
export type UnlockConnectorResponse = Static<typeof unlockConnector.response>
