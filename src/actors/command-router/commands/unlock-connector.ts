// unlock_connector: UnlockConnector, for a cable that is stuck (OCPP 1.6, 5.18).

import { Type } from 'typebox'
import { defineCommand } from '../define-command.js'
import { connector } from '../parameters.js'

export const unlockConnector = defineCommand({
  name: 'unlock_connector',
  summary: 'Unlock the cable of a connector',
  parameters: Type.Object({ connector_id: connector() }),
  call: ({ connector_id }) => ({ action: 'UnlockConnector', payload: { connectorId: connector_id } }),
})
