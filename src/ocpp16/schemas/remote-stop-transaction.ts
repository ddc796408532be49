// RemoteStopTransaction: asks to stop a transaction (OCPP 1.6, 5.12).

import { type Static, Type } from 'typebox'
import { integer, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const remoteStopTransaction = defineMessage({
  action: 'RemoteStopTransaction',
  from: 'central-system',
  profile: 'Core',
  request: Type.Object({ transactionId: integer() }, strict),
  response: statusOnly(['Accepted', 'Rejected']),
  onlyWhenAccepted: true,
})

export type RemoteStopTransactionRequest = Static<typeof remoteStopTransaction.request>
export type RemoteStopTransactionResponse = Static<typeof remoteStopTransaction.response>
