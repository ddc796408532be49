// A session of a partner's driver to start from, priced as the service prices it: a test names only what it is about.

import type { Cdr, CdrLocation } from '../../src/ocpi/schemas/cdr.js'
import type { RoamingSession } from '../../src/ocpi/session/account.js'
import { type MadeCdr, makeCdr } from '../../src/ocpi/session/make-cdr.js'
import { type AgreedTotal, withAgreedTotal } from '../../src/pricing/agreed-total.js'
import { priceSession } from '../../src/pricing/price-session.js'
import type { RuleTerms } from '../../src/pricing/rule-terms.js'
import type { TariffSnapshot } from '../../src/pricing/tariff-terms.js'
import { factsOfSession, type SessionMaterial } from '../../src/records/facts-of-session.js'
import type { Session, SessionStatusChange } from '../../src/records/session.js'
import { minute, start } from '../pricing/examples.js'

export const party = { country_code: 'NL', party_id: 'EXA' }

export const token = {
  country_code: 'DE',
  party_id: 'TNM',
  uid: '012345678',
  type: 'RFID' as const,
  contract_id: 'DE8ACC12E46L89',
}

export const place: CdrLocation = {
  id: 'LOC1',
  address: 'F.Rooseveltlaan 3A',
  city: 'Gent',
  country: 'BEL',
  coordinates: { latitude: '51.047599', longitude: '3.729944' },
  evse_uid: 'CP-1_1',
  evse_id: 'NL*EXA*ECP*1*1',
  connector_id: '1',
  connector_standard: 'IEC_62196_T2',
  connector_format: 'CABLE',
  connector_power_type: 'AC_3_PHASE',
}

/** `charging` minutes, then `parked` ones. */
export function endedSession(energyKwh: number, charging = 60, parked = 0, more: Partial<Session> = {}): Session {
  const parkedAt = start + charging * minute
  const statuses: SessionStatusChange[] = [
    { at: start, status: 'Charging' },
    ...(parked > 0 ? [{ at: parkedAt, status: 'SuspendedEV' as const }] : []),
  ]
  return {
    session_id: 'ses_01JD3Z5W4Q8Y7V6T5S4R3P2N1M',
    transaction_id: 1,
    organization_id: 'org_1',
    charge_point_id: 'CP-1',
    connector_id: 1,
    id_tag: '012345678',
    authorization: 'Accepted',
    status: 'completed',
    started_at: new Date(start).toISOString(),
    ended_at: new Date(parkedAt + parked * minute).toISOString(),
    received_at: new Date(start).toISOString(),
    meter_start: 1_000,
    meter_stop: 1_000 + energyKwh * 1_000,
    energy_wh: energyKwh * 1_000,
    tariff_id: 'trf_1',
    currency: 'EUR',
    auth_method: 'rfid',
    statuses,
    flags: [],
    start_key: 'key',
    ...more,
  }
}

/** What else there is to say of a session. */
export interface More {
  readonly rules?: readonly RuleTerms[]
  readonly agreed?: AgreedTotal
  readonly material?: SessionMaterial
}

export function roaming(session: Session, snapshot?: TariffSnapshot, more: More = {}): RoamingSession {
  const { rules = [], agreed, material = {} } = more
  const computed = snapshot && priceSession(factsOfSession(session, material), snapshot, rules)
  const priced = computed && agreed ? withAgreedTotal(computed, agreed) : computed
  return {
    session,
    material,
    snapshot,
    charged: priced && { priced, rules },
    currency: 'EUR',
    party,
    token,
    authMethod: 'WHITELIST',
    locationId: place.id,
    evseUid: place.evse_uid,
    connectorId: place.connector_id,
  }
}

export const cdrMadeAt = start + 48 * 60 * minute

export function tryCdr(session: Session, snapshot?: TariffSnapshot, more: More = {}): MadeCdr {
  return makeCdr(roaming(session, snapshot, more), place, 1, cdrMadeAt)
}

export function cdrOf(session: Session, snapshot?: TariffSnapshot, more: More = {}): Cdr {
  const made = tryCdr(session, snapshot, more)
  if (!made.ok) throw new Error(made.reason)
  return made.cdr
}
