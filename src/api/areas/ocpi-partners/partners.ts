// Roaming partners as operators see them: everything but their tokens.

import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import {
  type OcpiPartner,
  ocpiPartnerStatuses,
  ocpiPartnersTable,
  ocpiRoles,
  ocpiTokenEncodings,
} from '../../../records/ocpi-partner.js'
import { type OcpiParty, ocpiPartiesTable } from '../../../records/ocpi-party.js'
import type { Organization } from '../../../records/organization.js'
import { conflict } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import { named, nameText, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { announceEveryPlace } from '../charge-points/announce-place.js'
import { limits } from './limits.js'

const ids = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: limits.ocpiPartnerIds,
    uniqueItems: true,
    description,
  })

const words = {
  token_encoding:
    'How the credentials token stands in the `Authorization` header of calls to the partner: in base64, as OCPI 2.2.1 has it, or as it is. A registration finds out which of the two the partner takes.',
  location_ids: 'The locations that the partner sees; null for all that are published.',
  tariff_ids: 'The tariffs that the partner sees; null for all that OCPI can express.',
  realtime_unknown_tokens:
    'Whether the partner is asked in real time about a token that neither it nor anybody else has sent.',
  commands: 'Whether the partner may start and stop charges, reserve, unlock connectors, and set charging profiles.',
}

const changeable = {
  name: Type.Optional(nameText()),
  token_encoding: Type.Optional(Type.Enum([...ocpiTokenEncodings], { description: words.token_encoding })),
  location_ids: Type.Optional(nullable(ids(words.location_ids))),
  tariff_ids: Type.Optional(nullable(ids(words.tariff_ids))),
  realtime_unknown_tokens: Type.Optional(
    Type.Boolean({ description: `${words.realtime_unknown_tokens} false unless given.` }),
  ),
  commands: Type.Optional(Type.Boolean({ description: `${words.commands} true unless given.` })),
}

export const partnerBody = Type.Object(changeable)

export const partnerSchema = named('RoamingPartner', {
  id: Type.String(),
  name: Type.String(),
  status: Type.Enum([...ocpiPartnerStatuses], {
    description:
      '`invited`: the partner has a registration token. `registered`: both sides have credentials. `ended`: one of the two has ended the connection.',
  }),
  token_encoding: Type.Enum([...ocpiTokenEncodings], { description: words.token_encoding }),
  location_ids: nullable(Type.Array(Type.String(), { description: words.location_ids })),
  tariff_ids: nullable(Type.Array(Type.String(), { description: words.tariff_ids })),
  realtime_unknown_tokens: Type.Boolean({ description: words.realtime_unknown_tokens }),
  commands: Type.Boolean({ description: words.commands }),
  roles: Type.Array(
    Type.Object({
      role: Type.Enum([...ocpiRoles]),
      country_code: Type.String(),
      party_id: Type.String(),
      name: Type.String(),
    }),
    { description: 'The parties that the partner speaks for.' },
  ),
  versions_url: nullable(Type.String({ description: 'Where the partner lists its versions.' })),
  endpoints: Type.Array(
    Type.Object({ identifier: Type.String(), role: Type.Enum(['SENDER', 'RECEIVER']), url: Type.String() }),
    { description: 'The modules of the partner.' },
  ),
  registered_at: nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export function partnerView(row: OcpiPartner) {
  return {
    id: row.partner_id,
    name: row.name,
    status: row.status,
    token_encoding: row.token_encoding,
    location_ids: row.location_ids ?? null,
    tariff_ids: row.tariff_ids ?? null,
    realtime_unknown_tokens: row.realtime_unknown_tokens,
    commands: row.commands,
    roles: row.roles.map(({ role, country_code, party_id, business_details: { name } }) => ({
      role,
      country_code,
      party_id,
      name,
    })),
    versions_url: row.connection?.versions_url ?? null,
    endpoints: row.connection?.endpoints.map(({ identifier, role, url }) => ({ identifier, role, url })) ?? [],
    registered_at: row.registered_at ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** What of a partner its organization decides. */
export function decidedOf(body: Static<typeof partnerBody>, before?: OcpiPartner) {
  const { location_ids, tariff_ids } = body
  return {
    name: body.name ?? before?.name ?? 'Roaming partner',
    token_encoding: body.token_encoding ?? before?.token_encoding ?? 'base64',
    location_ids: location_ids ?? undefined,
    tariff_ids: tariff_ids ?? undefined,
    realtime_unknown_tokens: body.realtime_unknown_tokens ?? false,
    commands: body.commands ?? true,
  }
}

/** As whom the organization appears; an organization that has not said so appears under its name, and under a party id that nobody else has here. */
export function settleParty(draft: Draft, organization: Organization, services: Services): OcpiParty {
  const { organization_id, name, country } = organization
  const party = draft.get(ocpiPartiesTable, [organization_id])
  if (party !== undefined) return party
  const country_code = country.toUpperCase()
  const party_id = freePartyId(draft, organization_id, country_code)
  const now = formatTimestamp(services.clock.now())
  const made = draft.put(ocpiPartiesTable, {
    organization_id,
    country_code,
    party_id,
    business_details: { name: [...name].slice(0, 100).join('') },
    created_at: now,
    updated_at: now,
  })
  announceEveryPlace(draft, organization_id, `party-${made.version}`, services)
  return made
}

const partyIdLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Of letters that the organization's id chooses. */
function freePartyId(draft: Draft, organizationId: string, countryCode: string): string {
  for (let attempt = 0; ; attempt++) {
    const digest = createHash('sha256').update(`${organizationId} ${attempt}`).digest()
    const party_id = [...digest.subarray(0, 3)].map((byte) => partyIdLetters[byte % partyIdLetters.length]).join('')
    const group = [countryCode, party_id]
    if (draft.view.total(ocpiPartiesTable, 'byParty', group) > 0) continue
    draft.requireNone(
      ocpiPartiesTable,
      { index: 'byParty', group },
      conflict('the party id was taken meanwhile; try again'),
    )
    return party_id
  }
}

export function requireRoom(draft: Draft, organizationId: string): void {
  const list = { index: 'byOrganization', group: [organizationId] }
  const full = conflict(
    `an organization has at most ${limits.ocpiPartners} roaming partners: delete one that has ended first`,
  )
  draft.requireRoom(ocpiPartnersTable, list, limits.ocpiPartners, full)
}
