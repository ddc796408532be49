// cancel_reservation: CancelReservation (OCPP 1.6, 5.2).

import { cancelReservation as message } from '../../../ocpp16/index.js'
import { integer32 } from '../../pipeline/schemas.js'
import { defineRaw } from './define-raw.js'

export const cancelReservation = defineRaw(message, {
  operationId: 'cancelOcppReservation',
  summary: 'Cancel a reservation',
  description:
    'Once the charge point has answered, the reservation with that number is also cancelled in `GET /api/v1/reservations`.',
  body: { reservation_id: integer32() },
  repeats: ['reservation_id'],
  example: { reservation_id: 5 },
})
