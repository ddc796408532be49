// The wake-ups of sessions whose StopTransaction is awaited: what they are called, and which of them are stored.

import type { Session } from '../../records/session.js'
import { wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import type { ReadView } from '../../runtime/store/store.js'
import { chargePointKind } from './messages.js'

export const provisionalCloseReason = 'provisional-close/'

export function provisionalCloseOf(sessionId: string): string {
  return provisionalCloseReason + sessionId
}

/** When the session is ended by estimate, steady ms; undefined where nothing is stored. */
export function provisionalCloseAt(chargePointId: string, sessionId: string, view: ReadView): number | undefined {
  return view.get(wakeUpsTable, [chargePointKind, chargePointId, provisionalCloseOf(sessionId)])?.at
}

export function awaitedStops(open: readonly Session[], view: ReadView): Set<string> {
  const ids = open.filter(
    ({ charge_point_id, session_id }) => provisionalCloseAt(charge_point_id, session_id, view) !== undefined,
  )
  return new Set(ids.map(({ session_id }) => session_id))
}
