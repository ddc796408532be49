// A roaming partner of an organization (OCPI 2.2.1): how the two know each other, and what the partner sees. Tokens that the partner sends are
// known by their hashes; the one that it is sent has to be readable again, and is sealed. Written by the API under its version, and by a start that
// seals what an earlier version has left readable.

import { defineTable } from '../runtime/store/table.js'
import type { OcpiBusinessDetails, OcpiPartyId } from './ocpi-party.js'

/** invited: it has a registration token (token A). registered: both have credentials. ended: it has neither. */
export const ocpiPartnerStatuses = ['invited', 'registered', 'ended'] as const
export type OcpiPartnerStatus = (typeof ocpiPartnerStatuses)[number]

/** How the token stands in the Authorization header: as 2.2.1 has it, or as earlier versions had. */
export const ocpiTokenEncodings = ['base64', 'plain'] as const
export type OcpiTokenEncoding = (typeof ocpiTokenEncodings)[number]

export const ocpiRoles = ['CPO', 'EMSP', 'HUB', 'NAP', 'NSP', 'OTHER', 'SCSP'] as const

/** OCPI 2.2.1, 7.3.1. */
export interface OcpiCredentialsRole extends OcpiPartyId {
  readonly role: (typeof ocpiRoles)[number]
  readonly business_details: OcpiBusinessDetails
}

/** OCPI 2.2.1, 6.2.2. */
export interface OcpiEndpoint {
  readonly identifier: string
  readonly role: 'SENDER' | 'RECEIVER'
  readonly url: string
}

/** A token by which the partner is known. */
export interface OcpiInboundToken {
  /** Hex. */
  readonly sha256: string
  /** Wall ms, for one that another has taken the place of. */
  readonly valid_until?: number
  /** Whether the partner has called with it: then it has it, and those before are not needed. */
  readonly used?: boolean
}

/** How the service calls the partner. */
export interface OcpiConnection {
  /** Its versions endpoint. */
  readonly versions_url: string
  /** What the partner knows the service by, sealed with the installation's key (src/ocpi/call-token.ts). */
  readonly sealed_token?: string
  /** The same as it is, in rows of versions that did not seal it: the next start does. */
  readonly token?: string
  readonly endpoints: readonly OcpiEndpoint[]
}

export interface OcpiPartner {
  readonly partner_id: string
  readonly organization_id: string
  readonly version: number
  readonly name: string
  readonly status: OcpiPartnerStatus
  /** SHA-256 of its registration token (token A), in hex: good for versions and credentials alone, until it has registered. */
  readonly registration_token?: string
  /** The life of the node that answered the registration: the answer may be lost where that life has ended. */
  readonly registered_in?: number
  /** The newest first; none unless it is registered. */
  readonly inbound_tokens: readonly OcpiInboundToken[]
  readonly connection?: OcpiConnection
  readonly roles: readonly OcpiCredentialsRole[]
  readonly token_encoding: OcpiTokenEncoding
  /** Ids of those that it sees; absent where it sees all that are published. */
  readonly location_ids?: readonly string[]
  readonly tariff_ids?: readonly string[]
  /** Whether it is asked about tokens that it has not sent. */
  readonly realtime_unknown_tokens: boolean
  /** Whether it may start and stop charges, reserve and unlock. */
  readonly commands: boolean
  readonly registered_at?: string
  readonly created_at: string
  readonly updated_at: string
}

export const ocpiPartnersTable = defineTable<OcpiPartner>({
  name: 'ocpi_partners',
  key: (row) => [row.partner_id],
  importance: 'operation',
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    registered: (row) => (row.status === 'registered' ? [{ group: [row.organization_id] }] : []),
    /** Those that are asked about tokens which they have not sent. */
    asksOfUnknown: ({ status, organization_id, realtime_unknown_tokens }) =>
      status === 'registered' && realtime_unknown_tokens ? [{ group: [organization_id] }] : [],
    /** Those whose token is still to be sealed. */
    readableToken: ({ connection }) => (connection?.token === undefined ? [] : [{ group: [] }]),
    /** By the hash of any token that it may send. */
    byToken: ({ registration_token, inbound_tokens }) => {
      const hashes = inbound_tokens.map(({ sha256 }) => sha256)
      const all = registration_token === undefined ? hashes : [registration_token, ...hashes]
      return [...new Set(all)].map((hash) => ({ group: [hash] }))
    },
    /** By each party that it speaks for. */
    byParty: ({ organization_id, roles }) => {
      const parties = roles.map(({ country_code, party_id }) => `${country_code}*${party_id}`)
      return [...new Set(parties)].map((party) => ({ group: [organization_id, party] }))
    },
  },
  uncounted: ['asksOfUnknown', 'readableToken', 'byToken', 'byParty'],
})

/** Whether a partner that may be confined to some objects sees this one. Ids have no case. */
export function sees(ids: readonly string[] | undefined, id: string): boolean {
  return ids === undefined || ids.includes(id) || ids.some((one) => one.toLowerCase() === id.toLowerCase())
}

/** Where the partner takes, or gives, what a module is about; undefined where it does neither. */
export function endpointOf(
  { connection }: Pick<OcpiPartner, 'connection'>,
  identifier: string,
  role: OcpiEndpoint['role'],
): string | undefined {
  return connection?.endpoints.find((endpoint) => endpoint.identifier === identifier && endpoint.role === role)?.url
}

/** Whether the partner speaks for a party, in any role or in this one. */
export function speaksFor(
  { roles }: Pick<OcpiPartner, 'roles'>,
  { country_code, party_id }: OcpiPartyId,
  role?: OcpiCredentialsRole['role'],
): boolean {
  const same = (one: string, other: string): boolean => one.toUpperCase() === other.toUpperCase()
  return roles.some(
    (one) =>
      (role === undefined || one.role === role) && same(one.country_code, country_code) && same(one.party_id, party_id),
  )
}
