// set_unavailable: ChangeAvailability to Inoperative (OCPP 1.6, 5.2); Scheduled while a transaction runs.

import { Type } from 'typebox'
import { callOf, changeAvailability as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { connectorOrAll } from '../parameters.js'

export const setUnavailable = defineCommand({
  name: 'set_unavailable',
  summary: 'Take a connector, or with 0 the whole charge point, out of service',
  parameters: Type.Object({ connector_id: connectorOrAll() }),
  call: ({ connector_id }) => callOf(message, { connectorId: connector_id, type: 'Inoperative' }),
})
