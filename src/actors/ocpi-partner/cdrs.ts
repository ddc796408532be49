// CDRs on their way to a partner: noted on disk when a session ends or is corrected, sent one after the other of a session, and again for a fortnight
// until the partner has taken them. A partner that is away is waited for, without an attempt for each.

import type { OcpiOutcome } from '../../ocpi/call.js'
import { type OcpiCdrPush, type OcpiSentCdr, ocpiCdrPushesTable } from '../../records/ocpi-push.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { verdictOf } from './health.js'
import type { DueCdr } from './item.js'
import { limits } from './limits.js'
import type { OcpiPartnerState } from './state.js'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
/** After each attempt that was refused; the last one again and again. */
const delaysMs = [10 * second, minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 6 * hour]
const failingDelays = 4
const givenUpAfterMs = 14 * 24 * hour

function written(state: OcpiPartnerState, context: Context): Map<string, OcpiCdrPush> {
  if (state.writtenCdrs.turn !== context.turn) state.writtenCdrs = { turn: context.turn, rows: new Map() }
  return state.writtenCdrs.rows
}

function put(state: OcpiPartnerState, row: OcpiCdrPush, context: Context): Effect {
  written(state, context).set(row.session_id, row)
  const { next_attempt_at: at } = row
  if (at !== undefined && at < (state.nextCdrAt ?? Number.POSITIVE_INFINITY)) state.nextCdrAt = at
  return effect.put(ocpiCdrPushesTable, row)
}

/** Its session has ended, or ended otherwise than was said. */
export function noteCdr(state: OcpiPartnerState, sessionId: string, context: Context): readonly Effect[] {
  const key = [context.id, sessionId]
  const due = state.cdrs.get(sessionId)
  const before = due?.row ?? written(state, context).get(sessionId) ?? context.read().get(ocpiCdrPushesTable, key)
  // The next of them is read when it is sent.
  if (before?.next_attempt_at !== undefined) return []
  const now = context.now()
  const row: OcpiCdrPush = {
    partner_id: context.id,
    session_id: sessionId,
    sent: before?.sent ?? [],
    noted_at: now,
    attempts: 0,
    next_attempt_at: now,
  }
  return [put(state, row, context)]
}

export function hasRoomForCdrs({ cdrs }: OcpiPartnerState): boolean {
  return cdrs.size <= limits.ocpiDueCdrs / 2
}

/** Those whose time has come, as many as there is room for. */
export function readDueCdrs(state: OcpiPartnerState, context: Context): void {
  const now = context.now()
  if (state.nextCdrAt === undefined || state.nextCdrAt > now) return
  if (!hasRoomForCdrs(state)) return
  const view = context.read()
  const rows = written(state, context)
  const limit = limits.ocpiDueCdrs + state.cdrs.size + rows.size
  const due = view.listBy(ocpiCdrPushesTable, 'due', [context.id], { to: [now + 1], limit })
  for (const row of due) {
    if (state.cdrs.has(row.session_id) || rows.has(row.session_id)) continue
    if (state.cdrs.size >= limits.ocpiDueCdrs) return
    state.cdrs.set(row.session_id, { row, underWay: false })
  }
  const [next] = view.listBy(ocpiCdrPushesTable, 'due', [context.id], { from: [now + 1], limit: 1 })
  state.nextCdrAt = next?.next_attempt_at
  for (const { next_attempt_at: at } of rows.values())
    if (at !== undefined && at < (state.nextCdrAt ?? Number.POSITIVE_INFINITY)) state.nextCdrAt = at
}

/** Nothing of it is to be sent, for now: a CDR that comes to be later is noted then. */
export function nothingToSend(state: OcpiPartnerState, { row }: DueCdr, context: Context): readonly Effect[] {
  const { next_attempt_at: _, error: __, ...kept } = row
  state.cdrs.delete(row.session_id)
  return [put(state, kept, context)]
}

/** The partner has no place for CDRs. */
export function putOffCdr(state: OcpiPartnerState, { row }: DueCdr, context: Context): readonly Effect[] {
  state.cdrs.delete(row.session_id)
  return [put(state, { ...row, next_attempt_at: context.now() + hour }, context)]
}

export function cdrAttempted(
  state: OcpiPartnerState,
  item: DueCdr,
  cdrId: string,
  outcome: OcpiOutcome,
  context: Context,
): readonly Effect[] {
  item.underWay = false
  const { row } = item
  const now = context.now()
  if (outcome.type === 'delivered' || isKnownAlready(outcome)) {
    const location = outcome.type === 'delivered' ? outcome.location : undefined
    const sent: OcpiSentCdr = { cdr_id: cdrId, sent_at: now, ...(location !== undefined && { location }) }
    const { error: _, given_up_at: __, ...kept } = row
    // Whether there is another one is seen when it would be sent.
    item.row = { ...kept, sent: [...row.sent, sent], attempts: 0, next_attempt_at: now }
    return [put(state, item.row, context)]
  }
  const { message: error } = outcome as Exclude<OcpiOutcome, { readonly type: 'delivered' }>
  const attempts = row.attempts + 1
  // The partner's pause is what it waits for, and that is not written for each.
  if (verdictOf(outcome) === 'away') {
    if (row.error !== undefined) return []
    item.row = { ...row, attempts, error }
    return [put(state, item.row, context)]
  }
  state.cdrs.delete(row.session_id)
  if (now - row.noted_at > givenUpAfterMs) {
    const { next_attempt_at: _, ...kept } = row
    return [put(state, { ...kept, attempts, error, given_up_at: now }, context)]
  }
  // One that fails may be there again any time.
  const most = verdictOf(outcome) === 'failing' ? failingDelays : delaysMs.length
  const delay = delaysMs[Math.min(attempts, most) - 1] as number
  return [put(state, { ...row, attempts, error, next_attempt_at: now + delay }, context)]
}

const knownAlready = /\bduplicate\b|\balready (exists|known|present|processed|received|registered|stored)\b/i

/** A CDR is posted once in effect: a partner that has it from an attempt whose answer was lost may say so by a refusal. */
function isKnownAlready(outcome: OcpiOutcome): boolean {
  if (outcome.type !== 'refused') return false
  return outcome.httpStatus === 409 || knownAlready.test(outcome.message)
}
