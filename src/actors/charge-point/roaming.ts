// Drivers of roaming partners at a charge point (OCPI 2.2.1, 12): whose driver an id tag is, what can be decided by what is stored, and whom to ask.

import { type AskedToken, authorizationCall, type Word, wordOf } from '../../ocpi/authorization-call.js'
import {
  byAnswer,
  byCommand,
  byUnknown,
  chosenOf,
  decideAtOnce,
  decideUnknownAtOnce,
  decideUnknownWithoutAnswer,
  decideWithoutAnswer,
  type KnownToken,
  type RoamingDecision,
  type ShownAt,
} from '../../ocpi/authorize.js'
import type { OcpiOutcome } from '../../ocpi/call.js'
import { evseUidOf, locationIdOf } from '../../ocpi/ids.js'
import type { LocationReferences } from '../../ocpi/schemas/token.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import { foldIdTag, idTagCharacters } from '../../records/id-tag.js'
import { type OcpiCommandToken, ocpiCommandTokensTable } from '../../records/ocpi-command-token.js'
import { isReachable } from '../../records/ocpi-hub-party.js'
import { endpointOf, type OcpiPartner, ocpiPartnersTable } from '../../records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import { type OcpiAnswer, ocpiAnswersTable, tokensOf } from '../../records/ocpi-token.js'
import { ocpiTokenPullsTable } from '../../records/ocpi-token-pull.js'
import { sessionsTable } from '../../records/session.js'
import type { ReadView } from '../../runtime/store/store.js'
import { remoteStartMs } from './auth-method.js'
import { limits } from './limits.js'
import type { RoamingQuestion } from './roaming-messages.js'

/** Where, and on what occasion, an id tag was shown. */
export interface Shown {
  readonly chargePoint: Pick<ChargePointState, 'organization_id' | 'charge_point_id'>
  readonly idTag: string
  /** At which a charge begins. */
  readonly connectorId?: number | undefined
  /** Wall ms. */
  readonly now: number
}

/** What is known of a driver without asking. */
export interface RoamingView {
  /** What holds where nobody is asked, or nobody answers; undefined where the tag is no partner's. */
  readonly otherwise: RoamingDecision | undefined
  /** Whether it holds without a question. */
  readonly isDecided: boolean
}

const nobodys: RoamingView = { otherwise: undefined, isDecided: false }

function shownAt({ chargePoint, connectorId, now }: Shown): ShownAt {
  const chargePointId = chargePoint.charge_point_id
  const isEvse = connectorId !== undefined && connectorId > 0
  return { chargePointId, now, ...(isEvse && { evseUid: evseUidOf(chargePointId, connectorId) }) }
}

/** What the store says of a tag that is neither the organization's own nor a guest's. */
export function viewRoaming(view: ReadView, shown: Shown): RoamingView {
  const { idTag, chargePoint } = shown
  if (idTag.trim() === '' || idTag.length > idTagCharacters) return nobodys
  const decided = ofRunningSession(view, shown) ?? ofCommand(view, shown)
  if (decided !== undefined) return { otherwise: decided, isDecided: true }
  const known = knownToken(view, shown)
  const at = shownAt(shown)
  if (known !== undefined) {
    const atOnce = decideAtOnce(known, at)
    return { otherwise: atOnce ?? decideWithoutAnswer(known, at), isDecided: atOnce !== undefined }
  }
  const answers = answersOf(view, chargePoint.organization_id, idTag)
  if (answers.length === 0) return nobodys
  const atOnce = decideUnknownAtOnce(answers, at)
  return { otherwise: atOnce ?? decideUnknownWithoutAnswer(answers, at), isDecided: atOnce !== undefined }
}

/** A driver who charges here may end that, also where the partner is gone or has blocked the token since. */
function ofRunningSession(view: ReadView, { chargePoint, idTag, connectorId }: Shown): RoamingDecision | undefined {
  if (connectorId !== undefined) return undefined
  const { organization_id, charge_point_id } = chargePoint
  const open = view.listBy(sessionsTable, 'activeAtChargePoint', [organization_id, charge_point_id])
  const running = open.find(
    ({ id_tag, authorization, roaming }) =>
      roaming !== undefined && authorization === 'Accepted' && foldIdTag(id_tag) === foldIdTag(idTag),
  )
  if (running?.roaming === undefined) return undefined
  const { parent_id_tag: parentIdTag, roaming } = running
  return { status: 'Accepted', ...(parentIdTag !== undefined && { parentIdTag }), roaming }
}

/** The token of a command to start a charge here, or to reserve a connector. */
export function commandTokenOf(
  view: ReadView,
  { organization_id, charge_point_id }: Shown['chargePoint'],
  idTag: string,
): OcpiCommandToken | undefined {
  const row = view.get(ocpiCommandTokensTable, [charge_point_id, foldIdTag(idTag)])
  return row?.organization_id === organization_id ? row : undefined
}

function ofCommand(view: ReadView, { chargePoint, idTag, now }: Shown): RoamingDecision | undefined {
  const row = commandTokenOf(view, chargePoint, idTag)
  if (row === undefined || registered(view, row.partner_id, row.organization_id) === undefined) return undefined
  // A card is good for as long as a driver has to plug in. What is no card is shown by nobody but for the command.
  const isLate = Math.abs(now - row.at) > remoteStartMs && now > (row.reserved_until ?? 0)
  if (isLate && row.token.type !== 'APP_USER' && row.token.type !== 'AD_HOC_USER') return undefined
  return byCommand(row.token, row.partner_id, row.group_id, row.authorization_reference)
}

/** The answer by which a charge begins that nobody is asked about any more. */
export function permissionOf(
  view: ReadView,
  { organization_id, charge_point_id }: Shown['chargePoint'],
  idTag: string,
  partnerId: string,
): OcpiAnswer | undefined {
  const answer = view.get(ocpiAnswersTable, [organization_id, foldIdTag(idTag), partnerId])
  return answer?.charge_point_id === charge_point_id && answer.is_used !== true ? answer : undefined
}

function registered(view: ReadView, partnerId: string, organizationId: string): OcpiPartner | undefined {
  const partner = view.get(ocpiPartnersTable, [partnerId])
  return partner?.status === 'registered' && partner.organization_id === organizationId ? partner : undefined
}

/** Tokens of partners that are gone do not count. */
function knownToken(view: ReadView, { chargePoint, idTag }: Shown): KnownToken | undefined {
  const { organization_id } = chargePoint
  const known = tokensOf(view, organization_id, idTag).flatMap((token) => {
    const partner = registered(view, token.partner_id, organization_id)
    return partner === undefined ? [] : [{ token, partner }]
  })
  const chosen = chosenOf(known.map((one) => ({ ...one, pulledAt: 0 })))
  if (chosen === undefined) return undefined
  const { partner } = chosen
  const answer = view.get(ocpiAnswersTable, [organization_id, foldIdTag(idTag), partner.partner_id])
  const isPulled = endpointOf(partner, 'tokens', 'SENDER') !== undefined
  const pulledAt = view.get(ocpiTokenPullsTable, [partner.partner_id])?.completed_from ?? 0
  // Who only pushes sends what has changed, and nothing else.
  return { ...chosen, pulledAt: isPulled ? pulledAt : Number.POSITIVE_INFINITY, answer }
}

/** What those have answered before who are asked about tokens that they have not sent. */
function answersOf(view: ReadView, organizationId: string, idTag: string): readonly OcpiAnswer[] {
  const query = { limit: limits.roamingPartnersAsked }
  return view
    .list(ocpiAnswersTable, [organizationId, foldIdTag(idTag)], query)
    .filter(({ partner_id }) => registered(view, partner_id, organizationId)?.realtime_unknown_tokens === true)
}

/** Whom to ask about a tag that is not decided; undefined where there is nobody. */
export function questionOf(
  view: ReadView,
  shown: Shown,
  location: () => LocationReferences,
): RoamingQuestion | undefined {
  const { organization_id } = shown.chargePoint
  const known = knownToken(view, shown)
  const asked: AskedToken =
    known === undefined
      ? { uid: shown.idTag, type: 'RFID' }
      : { uid: known.token.uid, type: known.token.type, party: known.token }
  const partners = known === undefined ? askedOfUnknown(view, organization_id) : reached(view, known)
  if (partners.length === 0) return undefined
  const party = view.get(ocpiPartiesTable, [organization_id])
  if (party === undefined) return undefined
  const references = location()
  const calls = partners.flatMap((partner) => authorizationCall(partner, party, asked, references) ?? [])
  return calls.length === 0 ? undefined : { calls, asked }
}

/** Nobody is asked about the token of a party that its hub does not reach. */
function reached(view: ReadView, { partner, token }: KnownToken): readonly OcpiPartner[] {
  return isReachable(view, partner, token) ? [partner] : []
}

function askedOfUnknown(view: ReadView, organizationId: string): readonly OcpiPartner[] {
  return view
    .listBy(ocpiPartnersTable, 'asksOfUnknown', [organizationId], { limit: limits.roamingPartnersAsked })
    .filter((partner) => endpointOf(partner, 'tokens', 'SENDER') !== undefined)
}

/** The place at which a tag is shown, as partners know it. */
export function referencesOf(
  chargePointId: string,
  siteId: string | undefined,
  connectorIds: readonly number[],
): LocationReferences {
  const uids = connectorIds.filter((id) => id > 0).map((connectorId) => evseUidOf(chargePointId, connectorId))
  return { location_id: locationIdOf(siteId ?? chargePointId), ...(uids.length > 0 && { evse_uids: uids }) }
}

export interface Concluded {
  /** Undefined where the tag is no partner's. */
  readonly decision: RoamingDecision | undefined
  readonly answers: readonly AnswerChange[]
}

/** What is stored of a partner's answer; `is` undefined where it does not know the token any more. */
export interface AnswerChange {
  readonly before: OcpiAnswer | undefined
  readonly is: OcpiAnswer | undefined
}

/** What follows from what partners have said; `outcomes` is in the order of the calls, and empty where nobody could be asked. */
export function conclude(
  view: ReadView,
  shown: Shown,
  { calls, asked }: RoamingQuestion,
  outcomes: readonly (OcpiOutcome | undefined)[],
): Concluded {
  const { organization_id } = shown.chargePoint
  const known = knownToken(view, shown)
  const at = shownAt(shown)
  const heard = calls.flatMap(({ owner }, index) => {
    const partner = registered(view, owner, organization_id)
    const isAskedFor = known === undefined || known.partner.partner_id === owner
    const word = partner !== undefined && isAskedFor ? wordOf(outcomes[index], partner, asked, known?.token) : undefined
    if (word === undefined) return []
    const before = view.get(ocpiAnswersTable, [organization_id, foldIdTag(shown.idTag), owner])
    return [{ before, is: word.type === 'unknown' ? undefined : answerOf(shown, owner, word, before) }]
  })
  const answers = heard.filter(({ before, is }) => before !== undefined || is !== undefined)
  const said = heard.flatMap(({ is }) => is ?? [])
  const decisive = said.find(({ allowed }) => allowed === 'ALLOWED') ?? said[0]
  if (decisive !== undefined) return { answers, decision: byAnswer(decisive, at) }
  if (known !== undefined) {
    const isUnknown = heard.length > 0
    return { answers, decision: isUnknown ? byUnknown(known.token) : decideWithoutAnswer(known, at) }
  }
  const silent = answersOf(view, organization_id, shown.idTag).filter(
    ({ partner_id }) => !answers.some(({ before }) => before?.partner_id === partner_id),
  )
  return { answers, decision: decideUnknownWithoutAnswer(silent, at) }
}

function answerOf(
  { chargePoint, idTag, connectorId, now }: Shown,
  partner_id: string,
  { type: _, ...word }: Extract<Word, { readonly type: 'answered' }>,
  before: OcpiAnswer | undefined,
): OcpiAnswer {
  const { organization_id, charge_point_id } = chargePoint
  const version = before === undefined ? now : before.version + 1
  const isUsed = connectorId !== undefined && { is_used: true as const }
  return { organization_id, id_tag: idTag, partner_id, version, ...word, ...isUsed, charge_point_id, at: now }
}
