// StartTransaction: a transaction has started (OCPP 1.6, 4.8). Without a reading of the meter it is refused: any other
// start value would make a false bill.

import { type Static, Type } from 'typebox'
import { defineMessage, receivedTime } from '../define-message.js'
import { dateTime, idTag, idTagInfo, integer, optional, strict } from './common.js'

export const startTransaction = defineMessage({
  action: 'StartTransaction',
  from: 'charge-point',
  profile: 'Core',
  request: Type.Object(
    {
      connectorId: integer(1),
      idTag: idTag(),
      meterStart: integer(),
      timestamp: dateTime(),
      reservationId: optional(integer(1)),
    },
    strict,
  ),
  response: Type.Object({ idTagInfo, transactionId: integer() }, strict),
  requestRepairs: {
    connectorId: { lowest: 0 },
    meterStart: { rounds: true },
    idTag: { fallback: '', names: true },
    timestamp: { fallback: receivedTime },
  },
})

export type StartTransactionRequest = Static<typeof startTransaction.request>
export type StartTransactionResponse = Static<typeof startTransaction.response>
