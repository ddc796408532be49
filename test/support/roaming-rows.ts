// Rows of a roaming partner and of its drivers' tokens, as the handshake and the partner's pushes leave them.

import type { OcpiPartner } from '../../src/records/ocpi-partner.js'
import type { OcpiParty } from '../../src/records/ocpi-party.js'
import type { OcpiToken } from '../../src/records/ocpi-token.js'

const at = '2026-01-01T00:00:00.000Z'
const url = 'https://emsp.example.com/2.2.1'

export function partyRow(organization_id: string): OcpiParty {
  const business_details = { name: 'Ampshard' }
  return {
    organization_id,
    version: 1,
    country_code: 'NL',
    party_id: 'AMP',
    business_details,
    created_at: at,
    updated_at: at,
  }
}

export function partnerRow(organization_id: string, changes: Partial<OcpiPartner> = {}): OcpiPartner {
  const { party_id = 'EMP' } = changes.roles?.[0] ?? {}
  return {
    partner_id: `ptn_${party_id}`,
    organization_id,
    version: 1,
    name: 'Example Mobility',
    status: 'registered',
    inbound_tokens: [],
    connection: {
      versions_url: `${url}/versions`,
      token: 'secret',
      endpoints: [{ identifier: 'tokens', role: 'SENDER', url: `${url}/tokens` }],
    },
    roles: [{ role: 'EMSP', country_code: 'NL', party_id: 'EMP', business_details: { name: 'Example Mobility' } }],
    token_encoding: 'base64',
    realtime_unknown_tokens: false,
    commands: true,
    created_at: at,
    updated_at: at,
    ...changes,
  }
}

export function tokenRow(partner: OcpiPartner, changes: Partial<OcpiToken> = {}): OcpiToken {
  const { partner_id, organization_id, roles } = partner
  const { uid = 'CARD1' } = changes
  return {
    partner_id,
    organization_id,
    version: 1,
    country_code: roles[0]?.country_code ?? 'NL',
    party_id: roles[0]?.party_id ?? 'EMP',
    uid,
    type: 'RFID',
    contract_id: `NL-EMP-${uid}`.slice(0, 36),
    id_tag: uid,
    issuer: 'Example Mobility',
    valid: true,
    whitelist: 'ALLOWED',
    last_updated: at,
    known_since: Date.parse(at),
    heard_at: Date.parse(at),
    ...changes,
  }
}
