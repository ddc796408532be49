// StopTransactions that say something else of a session that its charge point has ended already: the first counts, the others are kept.

import { type StopTransactionRequest, unknownMeterStop } from '../../ocpp16/index.js'
import { foldIdTag } from '../../records/id-tag.js'
import { type OtherStop, type Session, sessionsTable } from '../../records/session.js'
import { type Effect, effect } from '../../runtime/actor/actor.js'
import { judgeTime } from './clock-skew.js'

const none: readonly Effect[] = []
const mostOtherStops = 10
const flag = 'stop_differs'

/** A repeat of the stop that ended the session, or of one that is kept, leaves no trace. */
export function noteOtherStop(
  session: Session,
  request: StopTransactionRequest,
  receivedAt: number,
): readonly Effect[] {
  const stop = otherStop(request, receivedAt)
  const kept = session.other_stops ?? []
  if (isOfSession(stop, session) || kept.some((one) => contentOf(one) === contentOf(stop))) return none
  if (kept.length >= mostOtherStops) return none
  const flags = session.flags.includes(flag) ? session.flags : [...session.flags, flag]
  return [effect.put(sessionsTable, { ...session, flags, other_stops: [...kept, stop] })]
}

function otherStop({ timestamp, meterStop, reason, idTag }: StopTransactionRequest, receivedAt: number): OtherStop {
  const { at, reported } = judgeTime(timestamp, receivedAt)
  return {
    received_at: new Date(receivedAt).toISOString(),
    timestamp: reported ?? new Date(at).toISOString(),
    meter_stop: meterStop === unknownMeterStop ? null : meterStop,
    reason: reason ?? 'Local',
    id_tag: idTag ?? null,
  }
}

function contentOf({ timestamp, meter_stop, reason, id_tag }: OtherStop): string {
  return [timestamp, meter_stop, reason, id_tag].join('|')
}

/** What a stop leaves out says nothing else. */
function isOfSession({ timestamp, meter_stop, reason, id_tag }: OtherStop, session: Session): boolean {
  const endedAt = session.ended_at_reported ?? session.ended_at
  // One that tells a time before the start has ended the session at its start.
  const sameTime = timestamp === endedAt || session.flags.includes('stop_before_start')
  const sameTag = id_tag === null || foldIdTag(id_tag) === foldIdTag(session.stop_id_tag ?? '')
  return (
    sameTime && sameTag && (meter_stop ?? session.meter_stop) === session.meter_stop && reason === session.stop_reason
  )
}
