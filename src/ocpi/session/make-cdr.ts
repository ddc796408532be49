// Charge detail records (OCPI 2.2.1, 10.3): of a session that has ended, and of one whose cost was corrected afterwards. A CDR that was sent is
// never changed; a credit takes it back, and another takes its place.

import { canonicalJson } from '../../pricing/tariff-snapshot.js'
import { writeDateTime } from '../date-time.js'
import type { Cdr, CdrLocation } from '../schemas/cdr.js'
import type { Connector, Evse, Location } from '../schemas/location.js'
import { type Account, accountOf, type RoamingSession } from './account.js'
import { sessionStatusOf } from './make-session.js'

export type MadeCdr = { readonly ok: true; readonly cdr: Cdr } | { readonly ok: false; readonly reason: string }

const longestAddress = 45
const longestState = 20
const longestRemark = 255

/** Where a session was, as a CDR keeps it (OCPI 2.2.1, 10.4.4). Absent while the connector has no EVSE id. */
export function cdrLocationOf(location: Location, evse: Evse, connector: Connector): CdrLocation | undefined {
  if (evse.evse_id === undefined) return undefined
  const { id, name, address, city, postal_code, state, country, coordinates } = location
  return {
    id,
    ...(name !== undefined && { name }),
    address: [...address].slice(0, longestAddress).join(''),
    city,
    ...(postal_code !== undefined && { postal_code }),
    ...(state !== undefined && { state: [...state].slice(0, longestState).join('') }),
    country,
    coordinates,
    evse_uid: evse.uid,
    evse_id: evse.evse_id,
    connector_id: connector.id,
    connector_standard: connector.standard,
    connector_format: connector.format,
    connector_power_type: connector.power_type,
  }
}

/** `revision` counts from 1: how often the session was billed. */
export function cdrIdOf(sessionId: string, revision: number): string {
  return revision === 1 ? sessionId : `${sessionId}-${revision}`
}

/** Why there is nothing to bill yet, or ever; undefined where there is. */
function reasonAgainst({ session }: RoamingSession): string | undefined {
  const status = sessionStatusOf(session)
  if (status === 'ACTIVE') return 'The session has not ended.'
  return status === 'INVALID' ? 'The session was not authorized.' : undefined
}

function remarkOf({ session }: RoamingSession, { notExpressible }: Account): { remark?: string } {
  const remarks = [...(session.status === 'estimated' ? ['The end of the session was estimated.'] : []), notExpressible]
  const remark = remarks.filter((text) => text !== undefined).join(' ')
  return remark === '' ? {} : { remark: [...remark].slice(0, longestRemark).join('') }
}

function costsOf({ price, parkedHours }: Account) {
  const { fixed, energy, time, parking } = price?.costs ?? {}
  return {
    ...(fixed !== undefined && { total_fixed_cost: fixed }),
    ...(energy !== undefined && { total_energy_cost: energy }),
    ...(time !== undefined && { total_time_cost: time }),
    ...(parkedHours > 0 && { total_parking_time: parkedHours }),
    ...(parking !== undefined && { total_parking_cost: parking }),
  }
}

/** `place` is where the session was as of its start; `at` in ms. */
export function makeCdr(roaming: RoamingSession, place: CdrLocation, revision: number, at: number): MadeCdr {
  const { session, party, token, authMethod, authorizationReference } = roaming
  const reason = reasonAgainst(roaming)
  if (reason !== undefined) return { ok: false, reason }
  const account = accountOf(roaming)
  const { measured, periods, kwh, hours, price, tariff } = account
  if (price === undefined) return { ok: false, reason: 'The session could not be priced.' }
  const cdr: Cdr = {
    country_code: party.country_code,
    party_id: party.party_id,
    id: cdrIdOf(session.session_id, revision),
    start_date_time: writeDateTime(measured.startedAt),
    end_date_time: writeDateTime(measured.endedAt),
    session_id: session.session_id,
    cdr_token: token,
    auth_method: authMethod,
    ...(authorizationReference !== undefined && { authorization_reference: authorizationReference }),
    cdr_location: place,
    location_id: place.id,
    evse_uid: place.evse_uid,
    connector_id: place.connector_id,
    currency: session.currency ?? roaming.currency,
    ...(tariff !== undefined && { tariffs: [tariff] }),
    charging_periods: periods,
    total_cost: price.total,
    total_energy: kwh,
    total_time: hours,
    ...costsOf(account),
    ...remarkOf(roaming, account),
    last_updated: writeDateTime(at),
  }
  return { ok: true, cdr }
}

/** Takes a CDR back: the same, but for its id and what it comes to. `at` in ms. */
export function creditOf(cdr: Cdr, at: number): Cdr {
  const { excl_vat, incl_vat } = cdr.total_cost
  // Not -0, which JSON says as 0 and comparisons tell apart.
  const total_cost = { excl_vat: 0 - excl_vat, ...(incl_vat !== undefined && { incl_vat: 0 - incl_vat }) }
  return {
    ...cdr,
    id: `${cdr.id}-C`,
    total_cost,
    credit: true,
    credit_reference_id: cdr.id,
    last_updated: writeDateTime(at),
  }
}

/** Whether two CDRs of a session bill the same, so that neither a credit nor another is due. */
export function billsTheSame(one: Cdr, other: Cdr): boolean {
  const billed = ({ id: _, last_updated: __, ...rest }: Cdr): string => canonicalJson(rest)
  return billed(one) === billed(other)
}
