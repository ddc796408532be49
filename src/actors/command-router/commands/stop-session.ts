// stop_session: RemoteStopTransaction (OCPP 1.6, 5.12). An id that the service does not know is the charge point's to judge.

import { Type } from 'typebox'
import { callOf, remoteStopTransaction as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { integer32 } from '../parameters.js'

export const stopSession = defineCommand({
  name: 'stop_session',
  summary: 'Stop a running transaction',
  scope: 'write:sessions',
  parameters: Type.Object({ transaction_id: integer32() }),
  call: ({ transaction_id }) => callOf(message, { transactionId: transaction_id }),
})
