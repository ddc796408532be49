// Some chargers are Available again before they send StopTransaction, or never send it (field note 13): a session whose
// connector is Available is ended by estimate after a while. Only a status that came after the session's start counts.

import type { Context, Effect } from '../../runtime/actor.js'
import { effect } from '../../runtime/actor.js'
import type { ConnectorState } from '../records/charge-point-state.js'
import type { Session } from '../records/session.js'
import { closeByEstimate, openOnConnector } from './sessions.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

/** The time runs from the first Available: repeating the status does not prolong it, any other ends the wait. */
export function awaitStop(state: State, connector: ConnectorState, context: Context): readonly Effect[] {
  const session = openOnConnector(state, connector.connector_id)
  if (session === undefined) return none
  const awaited = state.awaitingStop.has(session.session_id)
  if (connector.status === 'Available') return awaited ? none : [begin(state, session, context)]
  if (!awaited) return none
  state.awaitingStop.delete(session.session_id)
  return [effect.cancel(keyOf(session))]
}

/** After a restart: what was awaited still is. */
export function awaitStops(state: State, context: Context): readonly Effect[] {
  return state.row.connectors.flatMap((connector) => {
    const session = openOnConnector(state, connector.connector_id)
    if (session === undefined || connector.status !== 'Available') return []
    // An older Available says nothing: this charge point does not report Charging.
    return connector.timestamp < session.started_at ? [] : [begin(state, session, context)]
  })
}

export function closeProvisionally(state: State, sessionId: string, context: Context): readonly Effect[] {
  const session = state.open.find((open) => open.session_id === sessionId)
  return session === undefined ? none : closeByEstimate(state, session, 'Other', context)
}

function begin(state: State, session: Session, context: Context): Effect {
  state.awaitingStop.add(session.session_id)
  const at = context.monotonic() + state.settings.provisionalCloseSeconds * 1000
  return effect.schedule(keyOf(session), at, { type: 'close-provisionally', sessionId: session.session_id })
}

function keyOf(session: Session): string {
  return `provisional-close/${session.session_id}`
}
