// Events of reservations.

import { Type } from 'typebox'
import { cancelReasons } from '../records/reservation.js'
import { chargePointId, connectorId, defineEvent, time } from './define-event.js'

const reservation = Type.Object({
  reservation_id: Type.String({ examples: ['res_01M7YW4E6GX0Z8V7S5D6C4R2T1'] }),
  ocpp_reservation_id: Type.Integer({ description: 'The number by which the charge point knows it.', examples: [12] }),
  charge_point_id: chargePointId(),
  connector_id: connectorId(),
  id_tag: Type.String({ examples: ['04A1B2C3D4E5F6'] }),
  parent_id_tag: Type.Optional(Type.String({ examples: ['FLEET-7'] })),
  status: Type.String({ description: 'active, used, expired or cancelled.', examples: ['used'] }),
  expiry_date: time(),
  created_at: time(),
  ended_at: Type.Optional(time()),
  session_id: Type.Optional(
    Type.String({ description: 'The session that used it.', examples: ['ses_01M7YW4E6GQ3M8V7S5D6C4R2T1'] }),
  ),
  cancel_reason: Type.Optional(
    Type.String({
      description: `Why it was cancelled: ${cancelReasons.join(', ')}.`,
      examples: ['operator'],
    }),
  ),
})

export const reservationCreated = defineEvent({
  name: 'reservation.created',
  description: 'A charge point has accepted a reservation.',
  data: reservation,
})

export const reservationEnded = {
  used: defineEvent({
    name: 'reservation.used',
    description: 'A session with the reserved id tag has started.',
    data: reservation,
  }),
  expired: defineEvent({ name: 'reservation.expired', description: 'A reservation has expired.', data: reservation }),
  cancelled: defineEvent({
    name: 'reservation.cancelled',
    description: 'A reservation has been cancelled.',
    data: reservation,
  }),
} as const
