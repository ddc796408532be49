// Whether a partner's driver may charge (OCPI 2.2.1, 12.3.2 and 12.4). A token that the partner has sent says by its whitelist whether what is stored
// is enough, or whether the partner is asked in real time, and what holds where it does not answer. Pure: src/actors/charge-point/roaming.ts reads and asks.
//
//   ALWAYS           never asked: valid is Accepted, anything else Blocked
//   ALLOWED          valid is Accepted; asked where it is not, or where nothing has been heard of the partner's tokens for long.
//                    Without an answer, what was heard last
//   ALLOWED_OFFLINE  asked. Without an answer, what was heard last
//   NEVER            asked, also where it is not valid. Without an answer, Invalid

import type { OcpiPartner } from '../records/ocpi-partner.js'
import {
  identityOf,
  type OcpiAllowed,
  type OcpiAnswer,
  type OcpiAuthMethod,
  type OcpiToken,
  type OcpiTokenIdentity,
  type SessionRoaming,
} from '../records/ocpi-token.js'
import { limits } from './limits.js'

/** What a charge point is told, and whose driver it is. */
export interface RoamingDecision {
  readonly status: 'Accepted' | 'Blocked' | 'Expired' | 'Invalid'
  readonly parentIdTag?: string
  readonly roaming: SessionRoaming
}

export interface ShownAt {
  readonly chargePointId: string
  /** Of the connector, once a charge begins there. */
  readonly evseUid?: string | undefined
  /** Wall ms. */
  readonly now: number
}

/** A token with what else is known of it. */
export interface KnownToken {
  readonly token: OcpiToken
  readonly partner: OcpiPartner
  /** When all of the partner's tokens were last known, wall ms; 0 where never. */
  readonly pulledAt: number
  /** The partner's last answer about its id tag, in real time. */
  readonly answer?: OcpiAnswer | undefined
}

/**
 * Of tokens with one id tag, the one that counts: a valid one before one that is not, a card before what is no card, then the one that was known
 * first (`tokens` is in that order). So a session has one partner, and nobody takes a driver from another by sending the same uid later.
 */
export function chosenOf(tokens: readonly KnownToken[]): KnownToken | undefined {
  const rank = ({ token: { valid, type } }: KnownToken): number => (valid ? 0 : 2) + (type === 'RFID' ? 0 : 1)
  return tokens.reduce<KnownToken | undefined>(
    (best, one) => (best === undefined || rank(one) < rank(best) ? one : best),
    undefined,
  )
}

/** Without the partner's word; undefined where it has to be asked. */
export function decideAtOnce(known: KnownToken, shownAt: ShownAt): RoamingDecision | undefined {
  const { token } = known
  if (token.whitelist === 'ALWAYS') return byToken(token)
  const hasPermission = known.answer !== undefined && isPermission(known.answer, shownAt)
  if (hasPermission && (known.answer.at >= token.heard_at || token.valid)) return byAnswer(known.answer, shownAt)
  if (token.whitelist === 'ALLOWED' && token.valid && !isStale(known, shownAt)) return byToken(token)
  return undefined
}

/** Where the partner has not answered, or cannot be asked. */
export function decideWithoutAnswer({ token, answer }: KnownToken, shownAt: ShownAt): RoamingDecision {
  if (token.whitelist === 'NEVER') return decision('Invalid', token, token.partner_id, 'AUTH_REQUEST', token.group_id)
  if (token.whitelist === 'ALWAYS' || answer === undefined || answer.at < token.heard_at) return byToken(token)
  return { ...byAnswer(answer, shownAt), roaming: roamingOf(token, token.partner_id, 'WHITELIST') }
}

/** The charge begins where the driver has just been let in. */
function isPermission(answer: OcpiAnswer, { chargePointId, evseUid, now }: ShownAt): boolean {
  if (evseUid === undefined || answer.charge_point_id !== chargePointId || answer.is_used === true) return false
  // Either way: the clock may have been set meanwhile.
  return answer.allowed === 'ALLOWED' && Math.abs(now - answer.at) <= limits.ocpiPermissionMs
}

/** What was heard by a clock that was set back since may be as old. */
function isStale({ token, pulledAt }: KnownToken, { now }: ShownAt): boolean {
  const heardAt = Math.max(token.heard_at, pulledAt)
  return Number.isFinite(heardAt) && Math.abs(now - heardAt) > limits.ocpiStaleTokenMs
}

function byToken(token: OcpiToken): RoamingDecision {
  return decision(token.valid ? 'Accepted' : 'Blocked', token, token.partner_id, 'WHITELIST', token.group_id)
}

const statuses: Readonly<Record<OcpiAllowed, RoamingDecision['status']>> = {
  ALLOWED: 'Accepted',
  BLOCKED: 'Blocked',
  EXPIRED: 'Expired',
  NO_CREDIT: 'Blocked',
  NOT_ALLOWED: 'Invalid',
}

/** A driver may be allowed at some EVSEs of a location only. */
export function byAnswer(answer: OcpiAnswer, { evseUid }: Pick<ShownAt, 'evseUid'>): RoamingDecision {
  const { allowed, token, partner_id, group_id, authorization_reference: reference, evse_uids: only } = answer
  const isElsewhere = evseUid !== undefined && only !== undefined && !only.some((uid) => isSame(uid, evseUid))
  const status = allowed === 'ALLOWED' && isElsewhere ? 'Invalid' : statuses[allowed]
  return decision(status, token, partner_id, 'AUTH_REQUEST', group_id, reference)
}

/** Of a token that no partner has sent, where those that were asked have not answered: what one of them has said before. Undefined where none has. */
export function decideUnknownWithoutAnswer(
  answers: readonly OcpiAnswer[],
  shownAt: ShownAt,
): RoamingDecision | undefined {
  const isRemembered = ({ allowed, whitelist }: OcpiAnswer): boolean =>
    allowed === 'ALLOWED' && whitelist !== undefined && whitelist !== 'NEVER'
  const before = answers.find(isRemembered) ?? answers.find(({ allowed }) => allowed !== 'ALLOWED') ?? answers[0]
  if (before === undefined) return undefined
  const { status, ...decided } = byAnswer(before, shownAt)
  const { token, partner_id, allowed } = before
  const isForgotten = allowed === 'ALLOWED' && !isRemembered(before)
  const roaming = roamingOf(token, partner_id, 'WHITELIST')
  return { ...decided, status: isForgotten ? 'Invalid' : status, roaming }
}

/** Of a token that no partner has sent, a moment after one has allowed it there. */
export function decideUnknownAtOnce(answers: readonly OcpiAnswer[], shownAt: ShownAt): RoamingDecision | undefined {
  const permission = answers.find((answer) => isPermission(answer, shownAt))
  return permission === undefined ? undefined : byAnswer(permission, shownAt)
}

/** The partner does not know the token that it has sent. */
export function byUnknown(token: OcpiToken): RoamingDecision {
  return decision('Invalid', token, token.partner_id, 'AUTH_REQUEST', token.group_id)
}

/** Of a token by which the partner has had a charge started: it has authorized it. */
export function byCommand(
  token: OcpiTokenIdentity,
  partnerId: string,
  groupId?: string,
  reference?: string,
): RoamingDecision {
  return decision('Accepted', token, partnerId, 'COMMAND', groupId, reference)
}

/** The longest id tag of OCPP 1.6. */
const longestIdTag = 20

function decision(
  status: RoamingDecision['status'],
  token: OcpiTokenIdentity,
  partnerId: string,
  method: OcpiAuthMethod,
  groupId?: string,
  reference?: string,
): RoamingDecision {
  return {
    status,
    ...(groupId !== undefined && groupId.length <= longestIdTag && { parentIdTag: groupId }),
    roaming: roamingOf(token, partnerId, method, reference),
  }
}

function roamingOf(
  token: OcpiTokenIdentity,
  partnerId: string,
  auth_method: OcpiAuthMethod,
  reference?: string,
): SessionRoaming {
  return {
    partner_id: partnerId,
    ...identityOf(token),
    auth_method,
    ...(reference !== undefined && { authorization_reference: reference }),
  }
}

function isSame(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase()
}
