// A session as partners see it (OCPI 2.2.1, 9.3.1), running or ended.

import type { Session } from '../../records/session.js'
import { writeDateTime } from '../date-time.js'
import type { Session as OcpiSession, SessionStatus } from '../schemas/session.js'
import { accountOf, type RoamingSession } from './account.js'

/** One that its charge point was told not to begin is billed to nobody. */
export function sessionStatusOf({ authorization, status }: Pick<Session, 'authorization' | 'status'>): SessionStatus {
  if (authorization !== 'Accepted') return 'INVALID'
  return status === 'active' ? 'ACTIVE' : 'COMPLETED'
}

/** With all its charging periods: for a PUT, or an answer. `changedAt` in ms. */
export function makeSession(roaming: RoamingSession, changedAt: number): OcpiSession {
  const { session, party, token, authMethod, authorizationReference } = roaming
  const { measured, periods, kwh, price } = accountOf(roaming)
  return {
    country_code: party.country_code,
    party_id: party.party_id,
    id: session.session_id,
    start_date_time: writeDateTime(measured.startedAt),
    ...(session.status !== 'active' && { end_date_time: writeDateTime(measured.endedAt) }),
    kwh,
    cdr_token: token,
    auth_method: authMethod,
    ...(authorizationReference !== undefined && { authorization_reference: authorizationReference }),
    location_id: roaming.locationId,
    evse_uid: roaming.evseUid,
    connector_id: roaming.connectorId,
    currency: session.currency ?? roaming.currency,
    charging_periods: periods,
    ...(price !== undefined && { total_cost: price.total }),
    status: sessionStatusOf(session),
    last_updated: writeDateTime(changedAt),
  }
}
