// When what happened around a session belongs to it: it has neighbours in time.

import { type Session, sessionsTable } from '../../../records/session.js'
import type { ListQuery, ReadView } from '../../../runtime/store/store.js'
import { limits } from './limits.js'

/** What is read of a session's surroundings, ms. */
export interface StoryPeriod {
  readonly from: number
  readonly to: number
  /** What names no session is this one's from the end of the session before at its connector until the next one starts. */
  readonly ownFrom: number
  readonly ownTo: number
}

export const isOwn = ({ ownFrom, ownTo }: StoryPeriod, at: number): boolean => at >= ownFrom && at < ownTo

/** What is before the start and after the end may be the reason for it. */
const aroundMs = 10 * 60_000

/** Reads a few sessions beside it, however many the charge point has had. */
export function storyPeriod(view: ReadView, session: Session, now: number): StoryPeriod {
  const start = Date.parse(session.started_at)
  const end = session.ended_at === undefined ? now : Date.parse(session.ended_at)
  const [from, to] = [start - aroundMs, end + aroundMs]
  const before = besides(view, session, { to: [start], reverse: true })
  const after = besides(view, session, { from: [start] })
  const endBefore = before?.ended_at === undefined ? from : Date.parse(before.ended_at)
  const startAfter = after === undefined ? to : Date.parse(after.started_at)
  return {
    from,
    to,
    // One that this one's start has closed ends with it, or later: when it was over is not known.
    ownFrom: endBefore < start ? Math.max(from, endBefore) : from,
    ownTo: Math.max(end, Math.min(to, startAfter)),
  }
}

/** The first other session at the same connector. */
function besides(view: ReadView, session: Session, bounds: ListQuery): Session | undefined {
  const { organization_id, charge_point_id, connector_id, session_id } = session
  return view
    .listBy(sessionsTable, 'startsAtChargePoint', [organization_id, charge_point_id], {
      ...bounds,
      limit: limits.storySessionsRead,
    })
    .find((one) => one.connector_id === connector_id && one.session_id !== session_id)
}
