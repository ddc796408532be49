// Credentials as they are exchanged: ours for a partner, and what is kept of a partner's.

import { partnerChangedWakeUp } from '../../../actors/ocpi-tokens/messages.js'
import { sealToken } from '../../../ocpi/call-token.js'
import { type CredentialsRole, type ReceivedCredentials, rolesOf } from '../../../ocpi/schemas/credentials.js'
import {
  type OcpiCredentialsRole,
  type OcpiInboundToken,
  type OcpiPartner,
  ocpiPartnersTable,
  speaksFor,
} from '../../../records/ocpi-partner.js'
import {
  type OcpiBusinessDetails,
  type OcpiImage,
  type OcpiParty,
  ocpiPartiesTable,
} from '../../../records/ocpi-party.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import { conflict, type ErrorDetail } from '../../../runtime/errors.js'
import { putRow } from '../../pipeline/changes.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { hashOf } from '../../surfaces/ocpi-token.js'
import { versionsUrl } from '../ocpi-versions/addresses.js'
import type { Discovered } from './partner-calls.js'

const tokenBytes = 32

export function newCredentialsToken({ randomBytes }: Pick<Services, 'randomBytes'>): string {
  return randomBytes(tokenBytes).toString('base64url')
}

/** How long a token that another has replaced goes on, for requests that are under way. */
const overlapMs = 60_000

/** `token` is the one that the partner has to call with; the fields beside the roles are those of 2.1.1. */
export function ownCredentials(
  { country_code, party_id, business_details }: OcpiParty,
  token: string,
  config: Services['config'],
) {
  const own = { business_details, party_id, country_code }
  return { token, url: versionsUrl(config), roles: [{ role: 'CPO', ...own }], ...own }
}

/** Throws `validation_error`. */
export function requireRoles(credentials: Omit<ReceivedCredentials, 'token' | 'url'>): OcpiCredentialsRole[] {
  const roles = rolesOf(credentials)
  if (roles === undefined) throw invalid([{ path: '/roles', message: 'must have at least one role' }])
  const names = roles.map(({ role, country_code, party_id }) => `${role} ${country_code}*${party_id}`.toUpperCase())
  const repeated = names.findIndex((name, at) => names.indexOf(name) < at)
  const faults: ErrorDetail[] =
    repeated < 0 ? [] : [{ path: `/roles/${repeated}`, message: 'is there already: a role is named once' }]
  if (faults.length > 0) throw invalid(faults)
  return roles.map(storedRole)
}

function storedRole({ role, business_details, country_code, party_id }: CredentialsRole): OcpiCredentialsRole {
  return {
    role: role as OcpiCredentialsRole['role'],
    business_details: storedDetails(business_details),
    country_code: country_code.toUpperCase(),
    party_id: party_id.toUpperCase(),
  }
}

/** Without addresses that are empty. */
function storedDetails({ website, logo, name }: CredentialsRole['business_details']): OcpiBusinessDetails {
  const { thumbnail, ...image } = logo ?? {}
  const shown = logo && { ...image, ...(thumbnail !== undefined && thumbnail !== '' && { thumbnail }) }
  return {
    name,
    ...(website !== undefined && website !== '' && { website }),
    ...(shown !== undefined && { logo: shown as OcpiImage }),
  }
}

/**
 * That nobody else speaks for these parties: whose a token or a session is has one answer. Of two handshakes at a time, one begins again and sees the
 * other, since each makes a new version of the organization's own party.
 */
export function requireOwnParties(draft: Draft, partner: OcpiPartner, roles: readonly OcpiCredentialsRole[]): void {
  const own = draft.get(ocpiPartiesTable, [partner.organization_id])
  if (own !== undefined) draft.put(ocpiPartiesTable, own)
  for (const { country_code, party_id, role } of roles) {
    const group = [partner.organization_id, `${country_code}*${party_id}`]
    const others = draft.view
      .listBy(ocpiPartnersTable, 'byParty', group)
      .filter((one) => one.partner_id !== partner.partner_id && one.status === 'registered')
    if (others.some((one) => speaksFor(one, { country_code, party_id }, role)))
      throw conflict(`another partner is registered as ${role} ${country_code}*${party_id} already`)
  }
}

/** The tokens of a partner that has called with one of them: it has it. */
export function calledWith({ inbound_tokens }: OcpiPartner, token: string): readonly OcpiInboundToken[] {
  const sha256 = hashOf(token)
  return inbound_tokens.map((one) => (one.sha256 === sha256 ? { ...one, used: true } : one))
}

/** Handshakes that were cut short, whose tokens the partner may have. */
const unusedTokens = 4

/**
 * The tokens that are good when a new one is given: the new one, and for a while those which the partner may have now. That is the one that it
 * has used last, and any that was made for it since.
 */
export function withNewToken(
  { inbound_tokens }: Pick<OcpiPartner, 'inbound_tokens'>,
  token: string,
  now: number,
): readonly OcpiInboundToken[] {
  const lastUsed = inbound_tokens.findIndex(({ used }) => used === true)
  const since = lastUsed < 0 ? inbound_tokens : inbound_tokens.slice(0, lastUsed)
  const kept = [...since.slice(0, unusedTokens), ...(lastUsed < 0 ? [] : inbound_tokens.slice(lastUsed, lastUsed + 1))]
  return [{ sha256: hashOf(token) }, ...kept.map((one) => ({ ...one, valid_until: now + overlapMs }))]
}

/** What the partner's credentials and its modules change of its row. */
export function connectedTo(
  { sealer }: Pick<Services, 'sealer'>,
  partnerId: string,
  { token, url }: Pick<ReceivedCredentials, 'token' | 'url'>,
  { endpoints, encoding }: Discovered,
): Pick<OcpiPartner, 'connection' | 'token_encoding' | 'status'> {
  return {
    status: 'registered',
    token_encoding: encoding,
    connection: { versions_url: url, sealed_token: sealToken(sealer, partnerId, token), endpoints },
  }
}

/** The tokens of a partner are pulled once its credentials are on disk. */
export function pullTokens(draft: Draft, partnerId: string, { clock }: Pick<Services, 'clock'>): void {
  draft.add({ changes: [putRow(wakeUpsTable, partnerChangedWakeUp(partnerId, clock))] })
}
