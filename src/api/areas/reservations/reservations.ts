// How the API shows reservations.

import { Type } from 'typebox'
import { type Reservation, reservationStatus, reservationStatuses } from '../../../records/reservation.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'

export const reservationSchema = named('Reservation', {
  reservation_id: Type.String(),
  ocpp_reservation_id: Type.Integer({ description: 'The number under which the charge point knows the reservation.' }),
  charge_point_id: Type.String(),
  connector_id: Type.Integer({ description: '0 means any connector.' }),
  id_tag: Type.String(),
  parent_id_tag: nullable(Type.String({ description: 'The group whose id tags may use the reservation, too.' })),
  expiry_date: timestamp(),
  status: Type.Enum([...reservationStatuses]),
  created_at: timestamp(),
  ended_at: nullable(timestamp()),
  session_id: nullable(Type.String({ description: 'The session that used the reservation.' })),
  cancel_reason: nullable(Type.String()),
})

export function reservationView(row: Reservation, now: number) {
  const status = reservationStatus(row, now)
  return {
    reservation_id: row.reservation_id,
    ocpp_reservation_id: row.ocpp_reservation_id,
    charge_point_id: row.charge_point_id,
    connector_id: row.connector_id,
    id_tag: row.id_tag,
    parent_id_tag: row.parent_id_tag ?? null,
    expiry_date: row.expiry_date,
    status,
    created_at: row.created_at,
    ended_at: row.ended_at ?? (status === 'expired' ? row.expiry_date : null),
    session_id: row.session_id ?? null,
    cancel_reason: row.cancel_reason ?? null,
  }
}
