// Rows of roaming partners and of their drivers' cards, as they are written before a server starts.

import type { OcpiEndpoint, OcpiPartner } from '../../src/records/ocpi-partner.js'
import type { OcpiToken } from '../../src/records/ocpi-token.js'
import { roamingTag } from '../generator/payloads.js'

export type RoamingEndpoint = Pick<OcpiEndpoint, 'identifier' | 'role'>

const emsp = (number: number) => ({
  country_code: 'NL',
  party_id: `P${number.toString(36).toUpperCase().padStart(2, '0')}`,
})

const partnerId = (number: number): string => `ptn_${number}`

/** A partner that has registered, at a port of this machine. */
export function partnerRow(
  organization_id: string,
  number: number,
  port: number,
  at: string,
  endpoints: readonly RoamingEndpoint[],
): OcpiPartner {
  const url = `http://127.0.0.1:${port}/${number}`
  return {
    partner_id: partnerId(number),
    organization_id,
    version: 1,
    name: `Partner ${number}`,
    status: 'registered',
    inbound_tokens: [],
    connection: {
      versions_url: `${url}/versions`,
      token: 'bench-token-of-a-roaming-partner',
      endpoints: endpoints.map((endpoint) => ({ ...endpoint, url: `${url}/${endpoint.identifier}` })),
    },
    roles: [{ ...emsp(number), role: 'EMSP', business_details: { name: `Partner ${number}` } }],
    token_encoding: 'base64',
    realtime_unknown_tokens: false,
    commands: true,
    registered_at: at,
    created_at: at,
    updated_at: at,
  }
}

/** The card of its driver. */
export function tokenRow(organization_id: string, number: number, at: string): OcpiToken {
  const uid = roamingTag(number)
  return {
    ...emsp(number),
    uid,
    type: 'RFID',
    contract_id: `NL-${number}`,
    partner_id: partnerId(number),
    organization_id,
    version: 1,
    id_tag: uid,
    issuer: 'Bench',
    valid: true,
    whitelist: 'ALWAYS',
    last_updated: at,
    known_since: Date.parse(at),
    heard_at: Date.parse(at),
  }
}
