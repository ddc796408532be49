// The rows of what a session is billed to a partner: those that this turn has written come before those that the view shows.

import { type OcpiCdrPush, ocpiCdrPushesTable } from '../../records/ocpi-push.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import type { OcpiPartnerState } from './state.js'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
/** After each attempt that was refused; the last one again and again. */
const delaysMs = [10 * second, minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 6 * hour]
const day = 24 * hour
/** Of waiting between attempts, whatever the clock shows. */
const givenUpAfterMs = 14 * day

export function writtenCdrs(state: OcpiPartnerState, context: Context): Map<string, OcpiCdrPush> {
  if (state.writtenCdrs.turn !== context.turn) state.writtenCdrs = { turn: context.turn, rows: new Map() }
  return state.writtenCdrs.rows
}

export function cdrRowOf(state: OcpiPartnerState, sessionId: string, context: Context): OcpiCdrPush | undefined {
  const written = writtenCdrs(state, context).get(sessionId)
  return written ?? state.cdrs.get(sessionId)?.row ?? context.read().get(ocpiCdrPushesTable, [context.id, sessionId])
}

/** What is in memory of it is this from now on. */
export function putCdrRow(state: OcpiPartnerState, row: OcpiCdrPush, context: Context): Effect {
  writtenCdrs(state, context).set(row.session_id, row)
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

interface Failed {
  /** With what there is to say of the attempt. */
  readonly row: OcpiCdrPush
  /** Until the next one, ms. */
  readonly delay: number
}

/** An attempt has failed. One that has been tried for a fortnight is given up: after that, it is tried once a day. `most` of the delays are used. */
export function failed(row: OcpiCdrPush, error: string, now: number, most = delaysMs.length): Failed {
  const { waited_ms = 0 } = row
  const isGivenUp = waited_ms >= givenUpAfterMs
  const delay = isGivenUp ? day : (delaysMs[Math.min(row.attempts + 1, most) - 1] ?? day)
  const tried = { ...row, attempts: row.attempts + 1, waited_ms: waited_ms + delay, error }
  return { row: isGivenUp ? { ...tried, given_up_at: row.given_up_at ?? now } : tried, delay }
}

/**
 * Wall ms by which attempts are due: it goes on when the clock is set back, so that nothing waits longer than it was to. What is told to others is
 * told by the clock.
 */
export function steadyNow(
  state: Pick<OcpiPartnerState, 'steady'>,
  context: Pick<Context, 'now' | 'monotonic'>,
): number {
  const monotonic = context.monotonic()
  const wall = Math.max(context.now(), state.steady.wall + monotonic - state.steady.monotonic)
  state.steady = { wall, monotonic }
  return wall
}

/** What is further away than its delay was set before the clock was set back. `first`: of those that are to be made, and to be sent. */
export function steadyFrom(
  context: Pick<Context, 'now' | 'monotonic'>,
  first: readonly (OcpiCdrPush | undefined)[],
): OcpiPartnerState['steady'] {
  const setAt = first.map((row) => {
    const at = row?.bill_at ?? row?.next_attempt_at ?? 0
    const { attempts = 0, given_up_at } = row ?? {}
    if (given_up_at !== undefined) return at - day
    return at - (attempts === 0 ? 0 : (delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 0))
  })
  return { wall: Math.max(context.now(), ...setAt), monotonic: context.monotonic() }
}
