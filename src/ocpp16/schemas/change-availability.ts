// ChangeAvailability: makes a connector, or with connector 0 the charge point, operative or inoperative (OCPP 1.6, 5.2).

import { type Static, Type } from 'typebox'
import { integer, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const changeAvailability = defineMessage({
  action: 'ChangeAvailability',
  from: 'central-system',
  profile: 'Core',
  request: Type.Object({ connectorId: integer(0), type: Type.Enum(['Inoperative', 'Operative']) }, strict),
  response: statusOnly(['Accepted', 'Rejected', 'Scheduled']),
})

export type ChangeAvailabilityRequest = Static<typeof changeAvailability.request>
export type ChangeAvailabilityResponse = Static<typeof changeAvailability.response>
