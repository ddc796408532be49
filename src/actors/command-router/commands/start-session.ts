// start_session: RemoteStartTransaction (OCPP 1.6, 5.11). Accepted means acknowledged; StartTransaction tells of the start.

import { Type } from 'typebox'
import { callOf, remoteStartTransaction as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { connector, idTag } from '../parameters.js'

export const startSession = defineCommand({
  name: 'start_session',
  summary: 'Start a charging session on a connector for an id tag',
  scope: 'write:sessions',
  parameters: Type.Object({ connector_id: connector(), id_tag: idTag() }),
  call: ({ connector_id, id_tag }) => callOf(message, { connectorId: connector_id, idTag: id_tag }),
})
