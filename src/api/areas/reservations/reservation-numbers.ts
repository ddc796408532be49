// Which reservation numbers a caller of raw commands may choose: none that the API has given out.

import { type OcppCall, reserveNow } from '../../../ocpp16/index.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { latestOfNumber, reservationStatus } from '../../../records/reservation.js'
import { conflict } from '../../../runtime/errors.js'
import type { Services } from '../../pipeline/services.js'

/** A charge point replaces a reservation by another of its number; those of the API are not replaced behind its back. */
export function refuseOwnNumber(chargePoint: ChargePoint, { action, payload }: OcppCall, services: Services): void {
  if (action !== reserveNow.action || typeof payload.reservationId !== 'number') return
  const known = latestOfNumber(services.view(), chargePoint, payload.reservationId)
  if (known === undefined) return
  const isOwn = known.raw !== true && reservationStatus(known, services.clock.now()) === 'active'
  if (!isOwn && known.cancel_owed_by === undefined) return
  const message = `${payload.reservationId} is already the number of the reservation ${known.reservation_id}`
  throw conflict(`${message}; choose another number`, { chargePointId: chargePoint.charge_point_id })
}
