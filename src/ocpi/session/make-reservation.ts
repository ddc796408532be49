// A reservation of a partner as partners see it: a session with the status RESERVATION (OCPI 2.2.1, 9.3.3 and 13.2.4), which ends when it is used, is
// cancelled or expires. The charge that uses it is a session of its own.

import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import { identityOf } from '../../records/ocpi-token.js'
import { organizationsTable } from '../../records/organization.js'
import { type Reservation, reservationStatus } from '../../records/reservation.js'
import type { ReadView } from '../../runtime/store/store.js'
import { writeDateTime } from '../date-time.js'
import { connectorIdOf, evseUidOf } from '../ids.js'
import type { Session, SessionStatus } from '../schemas/session.js'
import { usualCurrency } from './read-session.js'

const statuses: Readonly<Record<ReturnType<typeof reservationStatus>, SessionStatus>> = {
  active: 'RESERVATION',
  used: 'COMPLETED',
  expired: 'INVALID',
  cancelled: 'INVALID',
}

/** One that leaves the connector open has no EVSE. */
const notAssigned = '#NA'

/** Undefined for a reservation that is of no partner. `now`: wall ms. */
export function readReservation(view: ReadView, reservation: Reservation, now: number): Session | undefined {
  const { roaming, organization_id, charge_point_id, connector_id, created_at, expiry_date } = reservation
  const party = view.get(ocpiPartiesTable, [organization_id])
  if (roaming === undefined || party === undefined) return undefined
  const status = reservationStatus(reservation, now)
  const endedAt = status === 'active' ? undefined : (reservation.ended_at ?? expiry_date)
  const { authorization_reference, location_id } = roaming
  return {
    country_code: party.country_code,
    party_id: party.party_id,
    id: reservation.reservation_id,
    start_date_time: writeDateTime(Date.parse(created_at)),
    ...(endedAt !== undefined && { end_date_time: writeDateTime(Date.parse(endedAt)) }),
    kwh: 0,
    cdr_token: identityOf(roaming),
    auth_method: 'COMMAND',
    ...(authorization_reference !== undefined && { authorization_reference }),
    location_id,
    evse_uid: connector_id === 0 ? notAssigned : evseUidOf(charge_point_id, connector_id),
    connector_id: connector_id === 0 ? notAssigned : connectorIdOf(connector_id),
    currency: view.get(organizationsTable, [organization_id])?.default_currency ?? usualCurrency,
    charging_periods: [],
    status: statuses[status],
    last_updated: writeDateTime(Date.parse(endedAt ?? created_at)),
  }
}
