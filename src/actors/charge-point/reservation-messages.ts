// What the charge-point actor is asked and told about reservations, and what it answers. Only shapes.

import type { Reservation } from '../../records/reservation.js'

export type ReservationMessage =
  /** Asks for a place and a number; answered with a ReserveReply. Nothing is stored yet. */
  | { readonly type: 'reserve'; readonly connectorId: number }
  /** The charge point has accepted it; answered when it is stored. */
  | { readonly type: 'reserved'; readonly reservation: Reservation }
  /** It has not. */
  | { readonly type: 'reservation-dropped'; readonly number: number }
  /** It has not answered: it is told to forget the reservation, should it have it, as soon as it can hear that. */
  | { readonly type: 'reservation-unanswered'; readonly reservation: Reservation; readonly by: string }
  /** Answered when the cancellation is stored; the charge point hears of it as soon as it can. */
  | {
      readonly type: 'cancel-reservation'
      readonly reservationId: string
      readonly by: string
      /** Absent for an operator's wish. */
      readonly reason?: 'operator' | 'roaming_partner'
    }
  | { readonly type: 'cancel-owed' }

export type ReserveReply = { readonly type: 'held'; readonly number: number } | { readonly type: 'taken' }
