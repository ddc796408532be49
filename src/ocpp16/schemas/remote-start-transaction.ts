// RemoteStartTransaction: asks to start charging, with a TxProfile that names no transaction if any (OCPP 1.6, 5.11).

import { type Static, Type } from 'typebox'
import { defineMessage } from '../define-message.js'
import { chargingProfile, idTag, integer, optional, statusOnly, strict } from './common.js'

export const remoteStartTransaction = defineMessage({
  action: 'RemoteStartTransaction',
  from: 'central-system',
  profile: 'Core',
  request: Type.Object(
    { idTag: idTag(), connectorId: optional(integer(1)), chargingProfile: optional(chargingProfile) },
    strict,
  ),
  response: statusOnly(['Accepted', 'Rejected']),
})

export type RemoteStartTransactionRequest = Static<typeof remoteStartTransaction.request>
export type RemoteStartTransactionResponse = Static<typeof remoteStartTransaction.response>
