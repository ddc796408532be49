// Tokens of partners' drivers, as partners have sent them (OCPI 2.2.1, 12.3.2), and what a partner has answered last about one in real time. Tokens
// are written under their version by the API, which takes what a partner pushes, and by the partner's actor, which pulls them; answers by the
// charge points at which they were asked for, under theirs.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable, type Key } from '../runtime/store/table.js'
import { foldIdTag } from './id-tag.js'
import type { OcpiPartyId } from './ocpi-party.js'

export const ocpiTokenTypes = ['AD_HOC_USER', 'APP_USER', 'OTHER', 'RFID'] as const
export type OcpiTokenType = (typeof ocpiTokenTypes)[number]

export const ocpiWhitelists = ['ALWAYS', 'ALLOWED', 'ALLOWED_OFFLINE', 'NEVER'] as const
export type OcpiWhitelist = (typeof ocpiWhitelists)[number]

export const ocpiAllowedTypes = ['ALLOWED', 'BLOCKED', 'EXPIRED', 'NO_CREDIT', 'NOT_ALLOWED'] as const
export type OcpiAllowed = (typeof ocpiAllowedTypes)[number]

/** Whose driver it is: what a session and a CDR say of a token (OCPI 2.2.1, 10.4.5). */
export interface OcpiTokenIdentity extends OcpiPartyId {
  readonly uid: string
  readonly type: OcpiTokenType
  readonly contract_id: string
}

export interface OcpiToken extends OcpiTokenIdentity {
  readonly partner_id: string
  readonly organization_id: string
  readonly version: number
  /** What a charge point shows: the uid, or what stands for one that is longer than an id tag. */
  readonly id_tag: string
  readonly visual_number?: string
  readonly issuer: string
  readonly group_id?: string
  readonly valid: boolean
  readonly whitelist: OcpiWhitelist
  readonly language?: string
  readonly default_profile_type?: string
  readonly energy_contract?: { readonly supplier_name: string; readonly contract_id?: string }
  /** In the partner's words. */
  readonly last_updated: string
  /** When the partner has first sent it, wall ms. */
  readonly known_since: number
  /** When it has last sent it, wall ms; repeats that are pulled do not count. */
  readonly heard_at: number
}

export type OcpiTokenName = OcpiPartyId & Pick<OcpiToken, 'partner_id' | 'uid' | 'type'>

/** Parties and uids have no case. */
export function ocpiTokenKey({ partner_id, country_code, party_id, uid, type }: OcpiTokenName): Key {
  return [partner_id, country_code.toUpperCase(), party_id.toUpperCase(), uid.toUpperCase(), type]
}

export const ocpiTokensTable = defineTable<OcpiToken>({
  name: 'ocpi_tokens',
  key: ocpiTokenKey,
  importance: 'operation',
  indexes: {
    byPartner: (row) => [{ group: [row.partner_id] }],
    /** Who has sent it first is first: nobody takes a driver from another by sending the same uid later. */
    byIdTag: (row) => [{ group: [row.organization_id, foldIdTag(row.id_tag)], order: [row.known_since] }],
  },
  uncounted: ['byIdTag'],
})

/** What a partner has answered last about an id tag. */
export interface OcpiAnswer {
  readonly organization_id: string
  readonly id_tag: string
  readonly partner_id: string
  readonly version: number
  readonly allowed: OcpiAllowed
  readonly token: OcpiTokenIdentity
  readonly group_id?: string
  /** Of a token that the partner has not sent; absent where its answer did not say. */
  readonly whitelist?: OcpiWhitelist
  readonly authorization_reference?: string
  /** EVSEs of the location at which the driver may charge; absent where there are no others. */
  readonly evse_uids?: readonly string[]
  /** A charge has begun with it: the next one needs another. */
  readonly is_used?: true
  /** Where it was asked for. */
  readonly charge_point_id: string
  /** Wall ms. */
  readonly at: number
}

const answersKeptMs = 90 * 24 * 3_600_000

export const ocpiAnswersTable = defineTable<OcpiAnswer>({
  name: 'ocpi_answers',
  key: (row) => [row.organization_id, foldIdTag(row.id_tag), row.partner_id],
  indexes: { byTime: (row) => [{ group: [], order: [row.at] }] },
  uncounted: ['byTime'],
  retention: { timeOf: (row) => row.at, milliseconds: answersKeptMs, index: 'byTime' },
})

/** What stands behind a roaming session (OCPI 2.2.1, 9.3.1 and 10.4.1), as it was at its start. */
export interface SessionRoaming extends OcpiTokenIdentity {
  readonly partner_id: string
  readonly auth_method: OcpiAuthMethod
  /** The last one that the partner has given. */
  readonly authorization_reference?: string
  /** Wall ms: when the session ended as far as is known here, or was corrected; absent while it runs. */
  readonly changed_at?: number
}

export const ocpiAuthMethods = ['AUTH_REQUEST', 'COMMAND', 'WHITELIST'] as const
export type OcpiAuthMethod = (typeof ocpiAuthMethods)[number]

export function identityOf({ country_code, party_id, uid, type, contract_id }: OcpiTokenIdentity): OcpiTokenIdentity {
  return { country_code, party_id, uid, type, contract_id }
}

/** Tokens with one id tag that are looked at. */
const mostTokensOfTag = 8

export function tokensOf(view: ReadView, organizationId: string, idTag: string): readonly OcpiToken[] {
  const group = [organizationId, foldIdTag(idTag)]
  return view.listBy(ocpiTokensTable, 'byIdTag', group, { limit: mostTokensOfTag })
}
