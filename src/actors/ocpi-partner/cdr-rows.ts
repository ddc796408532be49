// The rows of what a session is billed to a partner: those that this turn has written come before those that the view shows.

import { type OcpiCdrPush, ocpiCdrPushesTable } from '../../records/ocpi-push.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import type { OcpiPartnerState } from './state.js'
import { writesOf } from './turn-writes.js'

export function cdrRowOf(state: OcpiPartnerState, sessionId: string, context: Context): OcpiCdrPush | undefined {
  const written = writesOf(state, context).pushes.get(sessionId)
  return written ?? state.cdrs.get(sessionId)?.row ?? context.read().get(ocpiCdrPushesTable, [context.id, sessionId])
}

/** What is in memory of it is this from now on. */
export function putCdrRow(state: OcpiPartnerState, row: OcpiCdrPush, context: Context): Effect {
  writesOf(state, context).pushes.set(row.session_id, row)
  const due = state.cdrs.get(row.session_id)
  if (due !== undefined) due.row = row
  state.nextBillAt = earlier(state.nextBillAt, row.bill_at)
  state.nextCdrAt = earlier(state.nextCdrAt, row.next_attempt_at)
  return effect.put(ocpiCdrPushesTable, row)
}

export function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}

/** Without what is said of attempts that failed. */
export function withoutError({ error: _, given_up_at: __, waited_ms: ___, ...row }: OcpiCdrPush): OcpiCdrPush {
  return row
}
