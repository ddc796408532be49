// A roaming partner of the first organization, whose drivers charge among the others: it takes what it is sent of sessions, CDRs, locations and
// tariffs, is away for a while, says that it fails, and has what it has also where its answer is lost.

import { everyPlaceWakeUp } from '../../src/actors/messages/ocpi-locations.js'
import type { OcpiCall, OcpiOutcome } from '../../src/ocpi/call.js'
import { type OcpiPartner, ocpiPartnersTable } from '../../src/records/ocpi-partner.js'
import { type OcpiParty, ocpiPartiesTable } from '../../src/records/ocpi-party.js'
import { type OcpiToken, ocpiTokensTable } from '../../src/records/ocpi-token.js'
import type { JobOutcome } from '../../src/runtime/actor/actor.js'
import { wakeUpsTable } from '../../src/runtime/actor/wake-ups.js'
import type { Table } from '../../src/runtime/store/table.js'
import type { Faults } from './faults.js'
import { organizationIdOf } from './organizations.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

export const roamingPartnerId = 'ptn_0'
/** The number of the organization that it roams with. */
export const roamingOrganization = 0
const base = 'https://partner.example/2.2.1'
const emsp = { country_code: 'NL', party_id: 'EMS' }

/** What stands at an address behind that of its module. */
export interface RoamingObject {
  readonly module: string
  readonly path: string
}

export interface RoamingPartnerObserver {
  /** A call begins; its number is its own. */
  sent(object: RoamingObject, method: string, body: unknown, call: number): void
  /** The partner has it, whether or not the service hears so. */
  taken(object: RoamingObject, method: string, body: unknown): void
  /** The service hears what came of it. */
  ended(object: RoamingObject, call: number): void
}

export interface RoamingPartner {
  /** The job that calls partners: resolves in `thread`, which waits for it. */
  call(call: OcpiCall, thread: SimulatedThread): Promise<JobOutcome>
  goAway(milliseconds: number): void
}

export interface RoamingPartnerOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly outside: SimulatedThread
  readonly observer: RoamingPartnerObserver
}

const slowestAnswerMs = 60
const shown = { request: { headers: {} } }

export function createRoamingPartner({ time, faults, outside, observer }: RoamingPartnerOptions): RoamingPartner {
  const { random } = faults
  const known = new Set<string>()
  let calls = 0
  let backAt = 0
  const delay = (): number => 0.5 + random() * slowestAnswerMs

  return {
    call({ method, url, body, timeoutMs }, thread) {
      const [module = '', ...rest] = url.slice(base.length + 1).split('/')
      const object = { module, path: rest.join('/') }
      const call = ++calls
      observer.sent(object, method, body, call)

      function outcome(milliseconds: number, value: object): Promise<JobOutcome> {
        return new Promise((resolve) => {
          time.settleAfter(milliseconds, thread, () => {
            observer.ended(object, call)
            resolve({ ok: true, value: { ...value, milliseconds, shown } as OcpiOutcome })
          })
        })
      }
      const silence = (reason: 'connection' | 'timeout', milliseconds: number): Promise<JobOutcome> =>
        outcome(milliseconds, { type: 'failed', reason, message: `no answer: ${reason}` })
      const refusal = (httpStatus: number, statusCode: number): Promise<JobOutcome> =>
        outcome(there + delay(), { type: 'refused', httpStatus, statusCode, message: 'it says no' })

      const there = delay()
      if (time.monotonic() < backAt) return silence('connection', there)
      const trouble = faults.happens('deliveryTrouble') ? random() : 1
      if (trouble < 0.2) return silence('timeout', timeoutMs)
      if (trouble < 0.35) return refusal(503, 3000)
      if (trouble < 0.5) return refusal(200, 3000)
      if (trouble < 0.6)
        return outcome(there + delay(), { type: 'unreadable', httpStatus: 200, message: 'no envelope' })
      // A part of an object is nothing where the whole has never come.
      const name = `${module}/${method === 'PATCH' && module === 'locations' ? rest.slice(0, 3).join('/') : object.path}`
      if (method === 'PATCH' && !known.has(name)) return refusal(404, 2001)
      if (method === 'PUT') known.add(name)
      time.after(there, outside, () => observer.taken(object, method, body))
      if (trouble < 1) return silence('timeout', timeoutMs)
      return outcome(there + delay(), { type: 'delivered', httpStatus: 200, statusCode: 1000 })
    },
    goAway(milliseconds) {
      backAt = time.monotonic() + milliseconds
    },
  }
}

/** Every third charge of a charge point of the organization is by this card. */
function cardOf(chargePointId: string): string {
  return `TAG${roamingOrganization}-${chargePointId}-1`.slice(-20)
}

export function roamingRows<Put>(
  chargePoints: readonly { readonly id: string; readonly organization: number }[],
  at: string,
  put: <Row>(table: Table<Row>, row: Row) => Put,
): Put[] {
  const organization_id = organizationIdOf(roamingOrganization)
  const made = { version: 1, created_at: at, updated_at: at }
  const endpoints = ['sessions', 'cdrs', 'locations', 'tariffs'].map((identifier) => ({
    identifier,
    role: 'RECEIVER' as const,
    url: `${base}/${identifier}`,
  }))
  const party: OcpiParty = {
    organization_id,
    country_code: 'NL',
    party_id: 'AMP',
    business_details: { name: 'Ampshard' },
    ...made,
  }
  const partner: OcpiPartner = {
    partner_id: roamingPartnerId,
    organization_id,
    name: 'Example Mobility',
    status: 'registered',
    inbound_tokens: [],
    connection: { versions_url: `${base}/versions`, token: 'the token of the service', endpoints },
    roles: [{ role: 'EMSP', ...emsp, business_details: { name: 'Example Mobility' } }],
    token_encoding: 'base64',
    realtime_unknown_tokens: false,
    commands: true,
    registered_at: at,
    ...made,
  }
  const now = Date.parse(at)
  const tokens = chargePoints
    .filter(({ organization }) => organization === roamingOrganization)
    .map(
      ({ id }): OcpiToken => ({
        partner_id: roamingPartnerId,
        organization_id,
        version: 1,
        ...emsp,
        uid: cardOf(id),
        type: 'RFID',
        contract_id: `NL-EMS-${id}`,
        id_tag: cardOf(id),
        issuer: 'Example Mobility',
        valid: true,
        whitelist: 'ALWAYS',
        last_updated: at,
        known_since: now,
        heard_at: now,
      }),
    )
  return [
    put(ocpiPartiesTable, party),
    put(ocpiPartnersTable, partner),
    ...tokens.map((token) => put(ocpiTokensTable, token)),
    put(wakeUpsTable, everyPlaceWakeUp(organization_id, 'registered', { steady: () => now }, 0)),
  ]
}
