// unlock_connector: UnlockConnector, for a cable that is stuck (OCPP 1.6, 5.18).

import { Type } from 'typebox'
import { callOf, unlockConnector as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { connector } from '../parameters.js'

export const unlockConnector = defineCommand({
  name: 'unlock_connector',
  summary: 'Unlock the cable of a connector',
  parameters: Type.Object({ connector_id: connector() }),
  call: ({ connector_id }) => callOf(message, { connectorId: connector_id }),
})
