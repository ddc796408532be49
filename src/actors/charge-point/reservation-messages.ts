// What the charge-point actor is asked and told about reservations, and what it answers. Only shapes.

import type { Reservation } from '../records/reservation.js'

export type ReservationMessage =
  /** Asks for a place and a number; answered with a ReserveReply. Nothing is stored yet. */
  | { readonly type: 'reserve'; readonly connectorId: number }
  /** The charge point has accepted it; answered when it is stored. */
  | { readonly type: 'reserved'; readonly reservation: Reservation }
  /** It has not. Where that is uncertain the charge point is told to forget it, should it have one. */
  | { readonly type: 'reservation-dropped'; readonly number: number; readonly uncertain: boolean; readonly by: string }
  /** Answered when the cancellation is stored; the charge point hears of it as soon as it can. */
  | { readonly type: 'cancel-reservation'; readonly reservationId: string; readonly by: string }
  | { readonly type: 'cancel-owed' }

export type ReserveReply = { readonly type: 'held'; readonly number: number } | { readonly type: 'taken' }
