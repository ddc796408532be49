// What a charge point is told about an id tag (OCPP 1.6, 4.1 and 7.2): the organization's own tags, its guests', those of roaming partners, then its
// rule for tags that nobody has registered.

import type { RoamingDecision } from '../../ocpi/authorize.js'
import { type AuthorizationStatus, type IdTagInfo, writeTimestamp } from '../../ocpp16/index.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import { mayBeGuestTag } from '../../records/guest-session.js'
import { foldIdTag, idTagCharacters, idTagsTable } from '../../records/id-tag.js'
import type { SessionRoaming } from '../../records/ocpi-token.js'
import { organizationsTable } from '../../records/organization.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { ReadView } from '../../runtime/store/store.js'
import { isBeingStarted } from './auth-method.js'
import { guestInfo, guestOf } from './guests.js'
import { limits } from './limits.js'
import { questionOf, type RoamingView, referencesOf, viewRoaming } from './roaming.js'
import type { RoamingQuestion } from './roaming-messages.js'
import type { State } from './state.js'
import { isVouchedFor } from './vouched-tags.js'

export interface Authorization {
  readonly info: IdTagInfo
  /** Whether the tag is one that the organization knows. */
  readonly known: boolean
  /** Of a roaming partner's driver. */
  readonly roaming?: SessionRoaming
}

/** Whose charge point it is that the tag was shown at. */
type ShownAt = Pick<ChargePointState, 'organization_id' | 'charge_point_id'>

export function authorizeIdTag(state: State, idTag: string, context: Context): Authorization {
  return authorizeByStore(context.read(), state.row, idTag, context.now(), isBeingStarted(state, idTag, context))
}

/** Partners have to say first. */
export interface Asks {
  readonly question: RoamingQuestion
}

/** What the store says, or whom to ask before anything is said; `connectorId` is where a charge begins. */
export function authorizeOrAsk(
  state: State,
  idTag: string,
  context: Context,
  connectorId?: number,
): Authorization | Asks {
  const { row, registration } = state
  const view = context.read()
  const now = context.now()
  const isAsked = isBeingStarted(state, idTag, context)
  const known = knownByItself(view, row, idTag, now)
  if (known !== undefined) return known
  const shown = { chargePoint: row, idTag, connectorId, now }
  const roaming = viewRoaming(view, shown)
  if (!roaming.isDecided && !isAsked && state.asking < limits.roamingQuestions && !mayBeGuestTag(idTag)) {
    const connectors =
      connectorId === undefined ? row.connectors.map(({ connector_id }) => connector_id) : [connectorId]
    const question = questionOf(view, shown, () => referencesOf(context.id, registration?.site_id, connectors))
    const isOurs = (): boolean => roaming.otherwise === undefined && isVouchedFor(view, row, idTag, now)
    if (question !== undefined && !isOurs()) return { question }
  }
  return byRoamingOrRule(view, row, idTag, now, isAsked, roaming)
}

/**
 * By what the store knows; `asked` where memory knows of a remote start. Never ConcurrentTx: a driver who stops with the tag that
 * started would be refused by some charge points.
 */
export function authorizeByStore(
  view: ReadView,
  shownAt: ShownAt,
  idTag: string,
  now: number,
  asked = false,
): Authorization {
  const known = knownByItself(view, shownAt, idTag, now)
  if (known !== undefined) return known
  return byRoamingOrRule(view, shownAt, idTag, now, asked, viewRoaming(view, { chargePoint: shownAt, idTag, now }))
}

function byRoamingOrRule(
  view: ReadView,
  shownAt: ShownAt,
  idTag: string,
  now: number,
  asked: boolean,
  { otherwise }: RoamingView,
): Authorization {
  // Of a token that its partner refuses, an operator may start a charge: it is not the partner's then.
  if (otherwise !== undefined && (otherwise.status === 'Accepted' || !asked)) return authorizationOf(otherwise)
  return authorizeByRule(view, shownAt, idTag, now, asked)
}

/** A tag that is nobody's. */
export function authorizeByRule(
  view: ReadView,
  shownAt: ShownAt,
  idTag: string,
  now: number,
  asked = false,
): Authorization {
  const isGood = asked || isAcceptedUnregistered(view, shownAt, idTag, now)
  return { info: { status: isGood ? 'Accepted' : 'Invalid' }, known: false }
}

export function authorizationOf({ roaming, ...info }: RoamingDecision): Authorization {
  return { info, known: true, roaming }
}

/** The organization's own tags, and its guests'. */
function knownByItself(view: ReadView, shownAt: ShownAt, idTag: string, now: number): Authorization | undefined {
  const { organization_id: organizationId } = shownAt
  const tag = view.get(idTagsTable, [organizationId, foldIdTag(idTag)])
  if (tag === undefined) {
    const guest = guestOf(view, organizationId, idTag)
    return guest === undefined ? undefined : { info: guestInfo(guest, now), known: true }
  }
  const expiresAt = tag.expiry_date === undefined ? undefined : Date.parse(tag.expiry_date)
  const expired = expiresAt !== undefined && expiresAt <= now
  const status: AuthorizationStatus = expired && tag.status === 'Accepted' ? 'Expired' : tag.status
  return {
    info: {
      status,
      ...(expiresAt !== undefined && { expiryDate: writeTimestamp(expiresAt) }),
      ...(tag.parent_id_tag !== undefined && { parentIdTag: tag.parent_id_tag }),
    },
    known: true,
  }
}

/** A tag in the form of a guest's that belongs to no guest was made up, or is of a guest who has left: no rule makes it good. */
function isAcceptedUnregistered(view: ReadView, shownAt: ShownAt, idTag: string, now: number): boolean {
  if (idTag.trim() === '' || idTag.length > idTagCharacters) return false
  const rule = view.get(organizationsTable, [shownAt.organization_id])?.unknown_id_tags ?? 'accept'
  if (rule === 'accept' && !mayBeGuestTag(idTag)) return true
  return isVouchedFor(view, shownAt, idTag, now)
}
