// What a charge point is told about an id tag (OCPP 1.6, 4.1 and 7.2): the organization's own tags, its guests', then its rule for
// tags that nobody has registered.

import { type AuthorizationStatus, type IdTagInfo, writeTimestamp } from '../../ocpp16/index.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import { mayBeGuestTag } from '../../records/guest-session.js'
import { foldIdTag, idTagCharacters, idTagsTable } from '../../records/id-tag.js'
import { organizationsTable } from '../../records/organization.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { ReadView } from '../../runtime/store/store.js'
import { isBeingStarted } from './auth-method.js'
import { guestInfo, guestOf } from './guests.js'
import type { State } from './state.js'
import { isVouchedFor } from './vouched-tags.js'

export interface Authorization {
  readonly info: IdTagInfo
  /** Whether the tag is one that the organization knows. */
  readonly known: boolean
}

/** Whose charge point it is that the tag was shown at. */
type ShownAt = Pick<ChargePointState, 'organization_id' | 'charge_point_id'>

export function authorizeIdTag(state: State, idTag: string, context: Context): Authorization {
  return authorizeByStore(context.read(), state.row, idTag, context.now(), isBeingStarted(state, idTag, context))
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
  const { organization_id: organizationId } = shownAt
  const tag = view.get(idTagsTable, [organizationId, foldIdTag(idTag)])
  if (tag === undefined) {
    const guest = guestOf(view, organizationId, idTag)
    if (guest !== undefined) return { info: guestInfo(guest, now), known: true }
    const isGood = asked || isAcceptedUnregistered(view, shownAt, idTag, now)
    return { info: { status: isGood ? 'Accepted' : 'Invalid' }, known: false }
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
