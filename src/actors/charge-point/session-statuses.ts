// What the connector of a running session is doing, over time: kept with the session, since idle time is billed by it.

import { sumStatuses } from '../../pricing/status-spans.js'
import type { ConnectorState } from '../../records/charge-point-state.js'
import type { Session, SessionStatusChange } from '../../records/session.js'
import { limits } from './limits.js'
import type { State } from './state.js'

/**
 * A status that the connector told before its StartTransaction arrived is the session's when it is of after the start: the start
 * had waited in the charge point's queue.
 */
export function statusesAtStart(state: State, connectorId: number, startedAt: number): Pick<Session, 'statuses'> {
  const connector = state.row.connectors.find((one) => one.connector_id === connectorId)
  if (connector === undefined || connector.status === 'Available') return {}
  const at = Date.parse(connector.timestamp)
  return at > startedAt ? { statuses: [{ at, status: connector.status }] } : {}
}

/**
 * The session with one more status; undefined where it says nothing new. Statuses are in the order in which they came: one whose time
 * is not after the one before (a clock that stands still, or was set back) counts from its arrival. The first may be of the start
 * itself: most clocks tell whole seconds, and messages that had to wait arrive long after.
 */
export function withStatus(session: Session, connector: ConnectorState, receivedAt: number): Session | undefined {
  const statuses = session.statuses ?? []
  const last = statuses.at(-1)
  if (last?.status === connector.status) return undefined
  const startedAt = Date.parse(session.started_at)
  const earliest = last?.at ?? startedAt
  const told = Date.parse(connector.timestamp)
  const inOrder = last === undefined ? told >= startedAt : told > last.at
  const change: SessionStatusChange = {
    at: inOrder ? told : Math.max(receivedAt, earliest),
    status: connector.status,
  }
  const roomy = bounded(session)
  return { ...roomy, statuses: [...(roomy.statuses ?? []), change] }
}

/** A session with room for one status more: the older half of too many is kept as sums. */
function bounded(session: Session): Session {
  const statuses = session.statuses ?? []
  if (statuses.length < limits.sessionStatuses) return session
  const kept = statuses.slice(limits.sessionStatuses / 2)
  const summed = statuses.slice(0, limits.sessionStatuses / 2)
  const until = kept[0]?.at ?? Date.parse(session.started_at)
  const earlier = sumStatuses(summed, Date.parse(session.started_at), until, session.earlier_statuses)
  return { ...session, earlier_statuses: earlier, statuses: kept }
}
