// Charging profiles that the partner has set: it is told when what is in force is another one, as long as its session runs.

import { ocpiChargingProfilesTable } from '../../records/ocpi-charging-profile.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import { note } from './pending.js'
import type { OcpiPartnerState } from './state.js'
import { profileMarkOf, setProfileMark } from './turn-writes.js'

/** What an earlier life of the actor was told, and had not sent: of each session it is seen whether there is anything to send. */
export function noteProfiles(state: OcpiPartnerState, context: Context): void {
  const rows = context.read().list(ocpiChargingProfilesTable, [context.id], { limit: limits.ocpiProfilesAtLoad })
  for (const { session_id: sessionId } of rows) note(state, { kind: 'profile', sessionId }, { since: context.now() })
}

/** The session is over. */
export function endProfile(state: OcpiPartnerState, sessionId: string, context: Context): readonly Effect[] {
  const key = [context.id, sessionId]
  const isSet = context.read().get(ocpiChargingProfilesTable, key) !== undefined
  const isTold = profileMarkOf(state, sessionId, context) !== undefined
  return [
    ...(isSet ? [effect.remove(ocpiChargingProfilesTable, key)] : []),
    ...(isTold ? [setProfileMark(state, sessionId, undefined, context)] : []),
  ]
}
