// remote_stop_transaction: RemoteStopTransaction (OCPP 1.6, 5.12).

import { remoteStopTransaction as message } from '../../../ocpp16/index.js'
import { integer32 } from '../../pipeline/schemas.js'
import { defineRaw } from './define-raw.js'
import { sessionScopes } from './session-scopes.js'

export const remoteStopTransaction = defineRaw(message, {
  summary: 'Ask a charge point to stop a transaction',
  scopes: sessionScopes,
  body: { transaction_id: integer32() },
  repeats: ['transaction_id'],
  example: { transaction_id: 42 },
})
