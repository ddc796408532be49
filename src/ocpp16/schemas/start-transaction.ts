// StartTransaction: a transaction has started (OCPP 1.6, 4.8). Refusing one loses a charge that goes on: only one that is no object is
// refused. Without a reading of the meter the first meter value is the start; without a connector it is on connector 0.

import { type Static, Type } from 'typebox'
import { dateTime, idTag, idTagInfo, integer, optional, strict } from './common.js'
import { defineMessage, receivedTime } from './define-message.js'

/** What a meterStart is read as that is missing or no number; 0 would be a reading. */
export const unknownMeterStart = Number.MIN_SAFE_INTEGER

export const startTransaction = defineMessage({
  action: 'StartTransaction',
  from: 'charge-point',
  profile: 'Core',
  section: '6.45',
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
    connectorId: { lowest: 0, fallback: 0 },
    meterStart: { rounds: true, fallback: unknownMeterStart },
    idTag: { fallback: '', names: true },
    timestamp: { fallback: receivedTime },
  },
})

export type StartTransactionRequest = Static<typeof startTransaction.request>
export type StartTransactionResponse = Static<typeof startTransaction.response>
