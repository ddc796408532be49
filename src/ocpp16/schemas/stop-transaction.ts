// StopTransaction: a transaction has stopped (OCPP 1.6, 4.10). Refusing it would block the charger's queue: only one that is
// no object is refused.

import { type Static, Type } from 'typebox'
import { dateTime, idTag, idTagInfo, integer, meterValue, meterValueRepairs, optional, strict } from './common.js'
import { defineMessage, receivedTime } from './define-message.js'

export const stopReason = Type.Enum([
  'DeAuthorized',
  'EmergencyStop',
  'EVDisconnected',
  'HardReset',
  'Local',
  'Other',
  'PowerLoss',
  'Reboot',
  'Remote',
  'SoftReset',
  'UnlockCommand',
])
export type StopReason = Static<typeof stopReason>

/** What a meterStop is read as that is missing or no number; 0 would be a reading. */
export const unknownMeterStop = Number.MIN_SAFE_INTEGER

export const stopTransaction = defineMessage({
  action: 'StopTransaction',
  from: 'charge-point',
  profile: 'Core',
  section: '6.49',
  request: Type.Object(
    {
      // -1 is a charger that never got the answer to its StartTransaction (errata 3.18).
      transactionId: Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        not: { const: 0 },
      }),
      meterStop: integer(),
      timestamp: dateTime(),
      idTag: optional(idTag()),
      reason: optional(stopReason),
      transactionData: optional(Type.Array(meterValue)),
    },
    strict,
  ),
  response: Type.Object({ idTagInfo: optional(idTagInfo) }, strict),
  requestRepairs: {
    transactionId: { fallback: -1 },
    meterStop: { rounds: true, fallback: unknownMeterStop },
    timestamp: { fallback: receivedTime },
    idTag: { names: true },
    reason: { unknown: 'Other' },
    ...meterValueRepairs('transactionData'),
  },
})

export type StopTransactionRequest = Static<typeof stopTransaction.request>
export type StopTransactionResponse = Static<typeof stopTransaction.response>
