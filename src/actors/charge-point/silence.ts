// Sessions that nobody ends: one whose charge point has been offline for as long as its organization waits is ended by estimate. A
// charge point that is online is not silent, whatever it says; one that comes back goes on with its session, and a StopTransaction
// that comes after all corrects it.

import { sessionClosedAfterSilence } from '../../alert-kinds/session-closed-after-silence.js'
import { finding, raise } from '../../alerts/alert.js'
import { organizationsTable, silenceHoursOf } from '../../records/organization.js'
import { wasLost } from '../../records/presence.js'
import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore, wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import { fnv1a } from '../../runtime/ids.js'
import { chargePointAddress } from './messages.js'
import { closeByEstimate, lastHeardAt } from './sessions.js'
import type { State } from './state.js'

const none: readonly Effect[] = []
export const silenceReason = 'silence'
const hourMs = 3_600_000
/** A change of the setting counts from the next look. */
const lookEveryMs = hourMs
/** A look that is later than this was due while the service was away, when no charge point could be heard. */
const lateMs = 10 * 60_000
const spreadMs = lateMs / 2

/** Looks from now on, until no session is open. Told again after a load, it puts the look off: what has just started a session is not silent. */
export function watchSilence(state: State, context: Context): readonly Effect[] {
  if (state.watchesSilence) return none
  state.watchesSilence = true
  return [look(lookEveryMs, context)]
}

function look(afterMs: number, context: Context): Effect {
  return wakeAfter(chargePointAddress(context.id), silenceReason, afterMs, context)
}

export function lookForSilence(state: State, context: Context): readonly Effect[] {
  const address = chargePointAddress(context.id)
  const steady = context.steady()
  const due = context.read().get(wakeUpsTable, [address.kind, address.id, silenceReason])?.at
  // Told of an earlier look, which has been put off.
  if (due === undefined || due > steady) return none
  if (state.open.length === 0) return watchNoMore(state, context)
  state.watchesSilence = true
  const late = steady - due > lateMs
  const nextMs = lookEveryMs + (late ? offsetMs(context.id) : 0)
  const hours = silenceHoursOf(context.read().get(organizationsTable, [state.row.organization_id]))
  if (hours === null || state.connection !== undefined) return [look(nextMs, context)]
  // All charge points have been away as long as the service: they get the time to come back.
  if (late || mayComeBack(state)) return [look(nextMs, context)]
  // A session that a clock ahead closes would stay closed.
  const now = context.confirmed()
  const ends = (session: Session): number => awaySince(state, session) + hours * hourMs
  const closed = state.open
    .filter((session) => ends(session) <= now)
    .flatMap((session) => closeSilent(state, session, hours, context))
  if (state.open.length === 0) return [...closed, ...watchNoMore(state, context)]
  return [...closed, look(Math.min(nextMs, ...state.open.map((session) => ends(session) - now)), context)]
}

/** What was due while the service was away is told all at once: the next looks are spread, and stay so from hour to hour. */
function offsetMs(chargePointId: string): number {
  return fnv1a(chargePointId) % spreadMs
}

/** It was connected when its node ended, perhaps quiet but for pings, and has had no minute to come back yet. */
function mayComeBack({ row, settings }: State): boolean {
  return wasLost(row, settings.live)
}

function awaySince(state: State, session: Session): number {
  const { presence_lost_at, organization_id } = state.row
  const isLost = presence_lost_at !== undefined && organization_id === session.organization_id
  return Math.max(lastHeardAt(state, session), isLost ? Date.parse(presence_lost_at) : 0)
}

function watchNoMore(state: State, context: Context): readonly Effect[] {
  state.watchesSilence = false
  return [wakeNoMore(chargePointAddress(context.id), silenceReason)]
}

function closeSilent(state: State, session: Session, hours: number, context: Context): readonly Effect[] {
  const offlineSince = new Date(awaySince(state, session)).toISOString()
  const { session_id, charge_point_id, connector_id } = session
  const about = {
    organizationId: session.organization_id,
    subject: session_id,
    chargePointId: charge_point_id,
    connectorId: connector_id,
  }
  return [
    ...closeByEstimate(state, session, { reason: 'Other', flag: 'charge_point_silent' }, context).effects,
    ...raise(finding(sessionClosedAfterSilence, about, { sessionId: session_id, offlineSince, hours }), context)
      .effects,
  ]
}
