// CancelReservation: takes back a reservation (OCPP 1.6, 5.1).

import { type Static, Type } from 'typebox'
import { integer, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const cancelReservation = defineMessage({
  action: 'CancelReservation',
  from: 'central-system',
  profile: 'Reservation',
  request: Type.Object({ reservationId: integer() }, strict),
  response: statusOnly(['Accepted', 'Rejected']),
})

export type CancelReservationRequest = Static<typeof cancelReservation.request>
export type CancelReservationResponse = Static<typeof cancelReservation.response>
