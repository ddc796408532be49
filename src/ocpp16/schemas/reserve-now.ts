// ReserveNow: keeps a connector, or with connector 0 any, for an id tag (OCPP 1.6, 5.13).

import { type Static, Type } from 'typebox'
import { dateTime, idTag, integer, optional, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const reserveNow = defineMessage({
  action: 'ReserveNow',
  from: 'central-system',
  profile: 'Reservation',
  request: Type.Object(
    {
      connectorId: integer(0),
      expiryDate: dateTime(),
      idTag: idTag(),
      parentIdTag: optional(idTag()),
      reservationId: integer(),
    },
    strict,
  ),
  response: statusOnly(['Accepted', 'Faulted', 'Occupied', 'Rejected', 'Unavailable']),
})

export type ReserveNowRequest = Static<typeof reserveNow.request>
export type ReserveNowResponse = Static<typeof reserveNow.response>
