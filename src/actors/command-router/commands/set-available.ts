// set_available: ChangeAvailability to Operative (OCPP 1.6, 5.2).

import { Type } from 'typebox'
import { callOf, changeAvailability as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { connectorOrAll } from '../parameters.js'

export const setAvailable = defineCommand({
  name: 'set_available',
  summary: 'Put a connector, or with 0 the whole charge point, into service',
  parameters: Type.Object({ connector_id: connectorOrAll() }),
  call: ({ connector_id }) => callOf(message, { connectorId: connector_id, type: 'Operative' }),
})
