// Which reservation of ours a caller means by its own id: two parties of one hub may both have a reservation of that id.

import { type OcpiReservation, ocpiReservationsTable, partnerReservationId } from '../../../records/ocpi-command.js'
import type { OcpiPartyId } from '../../../records/ocpi-party.js'
import { type Reservation, reservationStatus, reservationsTable } from '../../../records/reservation.js'
import type { Draft } from '../../pipeline/draft.js'
import { isOwnDriver } from '../../surfaces/ocpi-sender.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'

/** The reservation of one of these parties with the id, an active one first. `now`: wall ms. */
export function reservationOf(
  principal: OcpiPrincipal,
  parties: readonly OcpiPartyId[],
  reservationId: string,
  draft: Draft,
  now: number,
): OcpiReservation | undefined {
  const read = (id: string) => draft.get(ocpiReservationsTable, [principal.partner.partner_id, id])
  const ours = (row: OcpiReservation): Reservation | undefined =>
    draft.view.get(reservationsTable, [row.reservation_id])
  const ids = new Set(parties.map((party) => partnerReservationId(party, reservationId)))
  const known = [...ids].map(read).filter((row) => row !== undefined)
  // An earlier version has stored it without its party.
  const old = read(reservationId.toLowerCase())
  if (old !== undefined && isOwnDriver(principal, ours(old)?.roaming)) known.push(old)
  const isActive = (row: OcpiReservation): boolean => {
    const reservation = ours(row)
    return reservation !== undefined && reservationStatus(reservation, now) === 'active'
  }
  return known.find(isActive) ?? known[0]
}
