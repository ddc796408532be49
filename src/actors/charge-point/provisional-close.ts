// Some chargers are Available again before they send StopTransaction, or never send it (field note 13): a session whose
// connector is Available is ended by estimate after a while, also when the service was restarted or the charge point has gone meanwhile.
// Only a status that came after the session's start counts.

import type { ConnectorState } from '../../records/charge-point-state.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { provisionalCloseAt, provisionalCloseOf, provisionalCloseReason } from './awaited-stops.js'
import { chargePointAddress } from './messages.js'
import { closeByEstimate, openOnConnector } from './sessions.js'
import type { State } from './state.js'

const none: readonly Effect[] = []
/** A wake-up is a second late; one that is later than this was due while the service was away. */
const lateMs = 60_000

/** The time runs from the first Available: repeating the status does not prolong it, any other ends the wait. */
export function awaitStop(state: State, connector: ConnectorState, context: Context): readonly Effect[] {
  const session = openOnConnector(state, connector.connector_id)
  if (session === undefined) return none
  const awaited = state.awaitingStop.has(session.session_id)
  if (connector.status === 'Available') return awaited ? none : [begin(state, session.session_id, context)]
  if (!awaited) return none
  state.awaitingStop.delete(session.session_id)
  return [wakeNoMore(chargePointAddress(context.id), provisionalCloseOf(session.session_id))]
}

/** What a former version awaited in memory alone. */
export function awaitStops(state: State, context: Context): readonly Effect[] {
  return state.row.connectors.flatMap((connector) => {
    const session = openOnConnector(state, connector.connector_id)
    if (session === undefined || connector.status !== 'Available') return []
    if (state.awaitingStop.has(session.session_id)) return []
    // An older Available says nothing: this charge point does not report Charging.
    return connector.timestamp < session.started_at ? [] : [begin(state, session.session_id, context)]
  })
}

/** The time is over. A session that has ended since, or whose connector was in use again, is left as it is. */
export function closeProvisionally(state: State, reason: string, context: Context): readonly Effect[] {
  const address = chargePointAddress(context.id)
  const sessionId = reason.slice(provisionalCloseReason.length)
  const session = state.open.find((open) => open.session_id === sessionId)
  if (session === undefined || !state.awaitingStop.has(sessionId)) return [wakeNoMore(address, reason)]
  const lateBy =
    context.steady() - (provisionalCloseAt(context.id, sessionId, context.read()) ?? Number.POSITIVE_INFINITY)
  // Told of an earlier wait, which has ended.
  if (lateBy < 0) return none
  // The service was away: the StopTransaction may be on its way, and the charge point gets the time again to send it.
  if (lateBy > lateMs) return [begin(state, sessionId, context)]
  return [...closeByEstimate(state, session, { reason: 'Other' }, context).effects, wakeNoMore(address, reason)]
}

function begin(state: State, sessionId: string, context: Context): Effect {
  state.awaitingStop.add(sessionId)
  const afterMs = state.settings.provisionalCloseSeconds * 1000
  return wakeAfter(chargePointAddress(context.id), provisionalCloseOf(sessionId), afterMs, context)
}
