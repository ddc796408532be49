// What the charge point's actor knows of guests: whether a tag is one's, whether it may charge with it, and that the guest's
// session hears of its charge. The guest session itself is another actor's.

import type { IdTagInfo } from '../../ocpp16/index.js'
import { type GuestSession, guestSessionsTable, guestStartsTable, mayBeGuestTag } from '../../records/guest-session.js'
import { foldIdTag } from '../../records/id-tag.js'
import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { wakeAfter } from '../../runtime/actor/wake-ups.js'
import type { ReadView } from '../../runtime/store/store.js'
import { guestSessionAddress, placeReservedReason } from '../messages/guest.js'

const none: readonly Effect[] = []

export function guestOf(view: ReadView, organizationId: string, idTag: string): GuestSession | undefined {
  if (!mayBeGuestTag(idTag)) return undefined
  const [guest] = view.listBy(guestSessionsTable, 'byIdTag', [foldIdTag(idTag)], { limit: 1 })
  return guest?.organization_id === organizationId ? guest : undefined
}

/** Good while the guest may still plug in, and while it charges: the charge point may ask again in the middle. */
export function guestInfo(guest: GuestSession, now: number): IdTagInfo {
  const waits = guest.status === 'authorizing' && now < Date.parse(guest.expires_at)
  return { status: waits || guest.status === 'charging' ? 'Accepted' : 'Expired' }
}

/** For a charge that begins: a guest has paid for one, at one charge point. */
export function infoForStart(info: IdTagInfo, organizationId: string, idTag: string, context: Context): IdTagInfo {
  const guest = guestOf(context.read(), organizationId, idTag)
  if (guest === undefined || info.status !== 'Accepted') return info
  if (guest.charge_point_id !== context.id) return { status: 'Invalid' }
  const begun = context.read().get(guestStartsTable, [guest.guest_session_id])
  return begun === undefined ? info : { status: 'ConcurrentTx' }
}

/** On disk with the session itself, so that the guest's session finds it whether or not it is told. */
export function guestStarted(session: Session, context: Context): readonly Effect[] {
  const guest = guestOf(context.read(), session.organization_id, session.id_tag)
  if (guest === undefined) return none
  if (session.authorization !== 'Accepted') return placeReserved(guest, session, context)
  const { guest_session_id } = guest
  return [
    effect.put(guestStartsTable, { guest_session_id, session_id: session.session_id }),
    effect.send(guestSessionAddress(guest_session_id), { type: 'session-changed' }),
  ]
}

/** Somebody has reserved the connector since the guest asked for it: the guest does not pay for waiting. */
function placeReserved(guest: GuestSession, session: Session, context: Context): readonly Effect[] {
  const isItsConnector = guest.charge_point_id === context.id && guest.connector_id === session.connector_id
  if (!isItsConnector || !session.flags.includes('reserved_for_another')) return none
  const address = guestSessionAddress(guest.guest_session_id)
  const reason = placeReservedReason + session.session_id
  return [wakeAfter(address, reason, 0, context), effect.send(address, { type: 'wake-up', reason })]
}

/** A reading may be the one with which what was set aside is used up. It is on disk when the guest's session hears of it. */
export function guestMetered(session: Session, context: Context): readonly Effect[] {
  const guest = guestOf(context.read(), session.organization_id, session.id_tag)
  return guest === undefined
    ? none
    : [effect.send(guestSessionAddress(guest.guest_session_id), { type: 'session-changed' })]
}

/**
 * A guest's session hears of the end of its charge and of whatever corrects it afterwards. The wake-up is on disk with the change
 * itself, so that the payment follows even where the message is lost; each has a reason of its own, so that handling one does not
 * take away another that came meanwhile.
 */
export function guestEnded(session: Session, context: Context): readonly Effect[] {
  const guest = guestOf(context.read(), session.organization_id, session.id_tag)
  if (guest === undefined) return none
  const address = guestSessionAddress(guest.guest_session_id)
  return [
    wakeAfter(address, `session/${context.newId('chg')}`, 0, context),
    effect.send(address, { type: 'session-changed' }),
  ]
}
