// How a driver was authorised: by a card at the charge point, or by a remote start of the same tag shortly before.

import { remoteStartTransaction } from '../../ocpp16/index.js'
import { foldIdTag, idTagsTable } from '../../records/id-tag.js'
import type { Context } from '../../runtime/actor/actor.js'
import { guestOf } from './guests.js'
import { limits } from './limits.js'
import type { CallMessage } from './messages.js'
import type { RemoteStart, State } from './state.js'

export type AuthMethod = 'rfid' | 'remote' | 'guest'

/** Guests are given as long to plug in. */
export const remoteStartMs = 15 * 60_000

/** Remembers what the charge point has accepted. */
export function noteRemoteStart(state: State, call: CallMessage, answer: unknown, context: Context): void {
  if (call.action !== remoteStartTransaction.action) return
  const accepted = typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'Accepted'
  const { idTag } = call.payload
  if (!accepted || typeof idTag !== 'string') return
  const oldest = state.remoteStarts.keys().next().value
  if (state.remoteStarts.size >= limits.remoteStarts && oldest !== undefined) state.remoteStarts.delete(oldest)
  state.remoteStarts.set(foldIdTag(idTag), { at: context.now(), told: false })
}

/** A tag that was made for a guest says so in its record; of the others, those are remote that were started so lately. */
export function authMethodOf(state: State, idTag: string, context: Context): AuthMethod {
  const tag = context.read().get(idTagsTable, [state.row.organization_id, foldIdTag(idTag)])
  if (tag?.auth_method !== undefined) return tag.auth_method
  if (guestOf(context.read(), state.row.organization_id, idTag) !== undefined) return 'guest'
  return remoteStartOf(state, idTag, context) === undefined ? 'rfid' : 'remote'
}

/** True the first time for each authorisation: a charge point may ask for a tag that was started remotely, or not. */
export function isNewlyAuthorized(state: State, idTag: string, context: Context): boolean {
  const remote = remoteStartOf(state, idTag, context)
  if (remote === undefined || remote.told) return false
  state.remoteStarts.set(foldIdTag(idTag), { ...remote, told: true })
  return true
}

/** Once the session runs, the next one with the tag is another matter. */
export function forgetRemoteStart(state: State, idTag: string): void {
  state.remoteStarts.delete(foldIdTag(idTag))
}

/** Whether the charge point is being asked to start with the tag, or has agreed to lately: it may ask before it answers. */
export function isBeingStarted(state: State, idTag: string, context: Context): boolean {
  if (remoteStartOf(state, idTag, context) !== undefined) return true
  const asked = state.calls.outstanding?.call
  if (asked?.action !== remoteStartTransaction.action || typeof asked.payload.idTag !== 'string') return false
  return foldIdTag(asked.payload.idTag) === foldIdTag(idTag)
}

function remoteStartOf(state: State, idTag: string, context: Context): RemoteStart | undefined {
  const known = state.remoteStarts.get(foldIdTag(idTag))
  // Either way: the clock may have been set meanwhile.
  return known !== undefined && Math.abs(context.now() - known.at) <= remoteStartMs ? known : undefined
}
