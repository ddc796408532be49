// The question whether a driver may charge, as partners are asked it in real time, and what their answers say (OCPI 2.2.1, 12.2.2 and 12.3.1).

import { endpointOf, type OcpiPartner } from '../records/ocpi-partner.js'
import type { OcpiPartyId } from '../records/ocpi-party.js'
import type { OcpiAllowed, OcpiAnswer, OcpiTokenIdentity, OcpiTokenType } from '../records/ocpi-token.js'
import type { OcpiCall, OcpiOutcome } from './call.js'
import { callTokenOf } from './call-token.js'
import { isSameParty } from './headers.js'
import { limits } from './limits.js'
import {
  type LocationReferences,
  type ReceivedAuthorizationInfo,
  receivedAuthorizationInfoSchema,
} from './schemas/token.js'
import { statusCodes } from './status-codes.js'
import { readObject } from './validators.js'

/** The job: its input is an OcpiAuthorization, its value an OcpiAuthorizationResult. */
export const ocpiAuthorizeJob = 'ocpi-authorize'

/** Asks partners at the same time. It ends with the first that allows it, with the last answer, or when the time is over. */
export interface OcpiAuthorization {
  readonly calls: readonly OcpiCall[]
  readonly withinMs: number
}

/** What came of each call, in their order; undefined where the partner was not waited for, or is not asked because it has not answered lately. */
export interface OcpiAuthorizationResult {
  readonly outcomes: readonly (OcpiOutcome | undefined)[]
}

export interface AskedToken {
  readonly uid: string
  readonly type: OcpiTokenType
  /** Whose driver it is, where that is known. */
  readonly party?: OcpiPartyId
}

/** Undefined where the partner cannot be asked. */
export function authorizationCall(
  partner: OcpiPartner,
  from: OcpiPartyId,
  { uid, type, party }: AskedToken,
  location: LocationReferences,
): OcpiCall | undefined {
  const url = endpointOf(partner, 'tokens', 'SENDER')
  if (url === undefined || partner.connection === undefined || partner.status !== 'registered') return undefined
  const to = party ?? ownerOf(partner)
  return {
    owner: partner.partner_id,
    method: 'POST',
    url: `${url.replace(/\/+$/, '')}/${encodeURIComponent(uid)}/authorize?type=${type}`,
    body: location,
    token: callTokenOf(partner.connection),
    tokenEncoding: partner.token_encoding,
    routing: { from, ...(to !== undefined && { to }) },
    wants: 'data',
    timeoutMs: limits.ocpiAuthorizationMs,
  }
}

/** The party whose drivers are the partner's, where there is one. */
function ownerOf({ roles }: Pick<OcpiPartner, 'roles'>): OcpiPartyId | undefined {
  const role = roles.find(({ role }) => role === 'EMSP') ?? roles.find(({ role }) => role !== 'HUB')
  return role === undefined ? undefined : { country_code: role.country_code, party_id: role.party_id }
}

/** What a partner says of a token: `unknown` where it does not know it. */
export type Word =
  | { readonly type: 'unknown' }
  | (Pick<OcpiAnswer, 'allowed' | 'token' | 'group_id' | 'whitelist' | 'authorization_reference' | 'evse_uids'> & {
      readonly type: 'answered'
    })

type Refusal = Extract<OcpiOutcome, { readonly type: 'refused' }>

/** Undefined where the partner has said nothing that counts. `known`: whose token it is, where the partner has sent it. */
export function wordOf(
  outcome: OcpiOutcome | undefined,
  partner: OcpiPartner,
  asked: AskedToken,
  known?: OcpiTokenIdentity,
): Word | undefined {
  if (outcome === undefined) return undefined
  if (outcome.type === 'refused' && saysUnknown(outcome)) return { type: 'unknown' }
  if (outcome.type !== 'delivered') return undefined
  const info = readInfo(outcome.data)
  if (info === undefined) return undefined
  const token = identityIn(info, partner, asked, known)
  if (token === undefined) return undefined
  const { allowed, authorization_reference, location } = info
  const { group_id, whitelist } = info.token ?? {}
  const evses = location?.evse_uids?.slice(0, limits.ocpiAllowedEvses)
  return {
    type: 'answered',
    allowed: allowed as OcpiAllowed,
    token,
    ...(group_id !== undefined && { group_id }),
    ...(whitelist !== undefined && { whitelist }),
    ...(authorization_reference !== undefined && { authorization_reference }),
    ...(evses !== undefined && evses.length > 0 && { evse_uids: evses }),
  }
}

/** What a hub says of itself under HTTP 404 is no word of the partner behind it. */
function saysUnknown({ httpStatus, statusCode = statusCodes.unknownToken }: Refusal): boolean {
  return statusCode === statusCodes.unknownToken || (httpStatus === 404 && statusCode < statusCodes.serverError)
}

/** Whether it is allowed decides: what is wrong with the rest of an answer turns no driver away. */
function readInfo(data: unknown): ReceivedAuthorizationInfo | undefined {
  const whole = readObject(receivedAuthorizationInfoSchema, data)
  if (whole.ok) return whole.value
  if (typeof data !== 'object' || data === null) return undefined
  const { allowed, authorization_reference } = data as Record<string, unknown>
  for (const part of [{ allowed, authorization_reference }, { allowed }]) {
    const read = readObject(receivedAuthorizationInfoSchema, part)
    if (read.ok) return read.value
  }
  return undefined
}

/** Another party's token is none of the partner's. */
function identityIn(
  { token }: ReceivedAuthorizationInfo,
  partner: OcpiPartner,
  { uid, type, party }: AskedToken,
  known: OcpiTokenIdentity | undefined,
): OcpiTokenIdentity | undefined {
  const owner = known ?? party ?? ownerOf(partner)
  const isOfToken = token !== undefined && token.uid.toUpperCase() === uid.toUpperCase()
  const named =
    isOfToken && token.country_code !== undefined && token.party_id !== undefined
      ? { country_code: token.country_code.toUpperCase(), party_id: token.party_id.toUpperCase() }
      : undefined
  const isOwn = named === undefined || partner.roles.some((role) => isSameParty(role, named))
  const whose = (isOwn ? named : undefined) ?? owner
  if (whose === undefined) return undefined
  if (known !== undefined && !isSameParty(whose, known)) return known
  return {
    country_code: whose.country_code,
    party_id: whose.party_id,
    uid: known?.uid ?? (isOfToken ? token.uid : uid),
    type: known?.type ?? (isOfToken ? (token.type as OcpiTokenType) : type),
    contract_id: (isOfToken ? token.contract_id : undefined) ?? known?.contract_id ?? uid,
  }
}
