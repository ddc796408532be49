// MeterValues: samples of a connector's meter; connector 0 is the main one (OCPP 1.6, 4.7).

import { type Static, Type } from 'typebox'
import { emptyPayload, integer, meterValue, meterValueRepairs, optional, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const meterValues = defineMessage({
  action: 'MeterValues',
  from: 'charge-point',
  profile: 'Core',
  section: '6.31',
  request: Type.Object(
    {
      connectorId: integer(0),
      // Ours are positive. Absent means that the samples belong to no transaction, or that the charger did not say to which.
      transactionId: optional(integer(1)),
      meterValue: Type.Array(meterValue, { minItems: 1 }),
    },
    strict,
  ),
  response: emptyPayload,
  requestRepairs: { connectorId: { fallback: 0 }, ...meterValueRepairs('meterValue') },
})

export type MeterValuesRequest = Static<typeof meterValues.request>
export type MeterValuesResponse = Static<typeof meterValues.response>
