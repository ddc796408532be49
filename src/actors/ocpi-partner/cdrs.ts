// CDRs on their way to a partner: sent one after the other of a session, and again until the partner has taken them: often for a fortnight, and then once a day. A partner that
// is away is waited for, without an attempt for each.

import type { OcpiOutcome } from '../../ocpi/call.js'
import { type OcpiCdrPush, type OcpiSentCdr, ocpiCdrPushesTable } from '../../records/ocpi-push.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { earlier, putCdrRow, withoutError } from './cdr-rows.js'
import { failed, hour } from './delays.js'
import { verdictOf } from './health.js'
import type { DueCdr } from './item.js'
import { limits } from './limits.js'
import type { OcpiPartnerState } from './state.js'
import { writesOf } from './turn-writes.js'

/** Of the delays, for a partner that may be well again any time. */
const failingDelays = 4

export function hasRoomForCdrs({ cdrs }: OcpiPartnerState): boolean {
  return cdrs.size <= limits.ocpiDueCdrs / 2
}

/** Those whose time has come, as many as there is room for. */
export function readDueCdrs(state: OcpiPartnerState, context: Context): void {
  const now = context.steady()
  if (state.nextCdrAt === undefined || state.nextCdrAt > now || !hasRoomForCdrs(state)) return
  const view = context.read()
  const rows = writesOf(state, context).pushes
  const limit = limits.ocpiDueCdrs + state.cdrs.size + rows.size
  const due = view.listBy(ocpiCdrPushesTable, 'due', [context.id], { to: [now + 1], limit })
  for (const row of due) {
    if (state.cdrs.has(row.session_id) || rows.has(row.session_id)) continue
    if (state.cdrs.size >= limits.ocpiDueCdrs) return
    state.cdrs.set(row.session_id, { row, underWay: false })
  }
  const [next] = view.listBy(ocpiCdrPushesTable, 'due', [context.id], { from: [now + 1], limit: 1 })
  state.nextCdrAt = next?.next_attempt_at
  for (const { session_id, next_attempt_at } of rows.values())
    if (!state.cdrs.has(session_id)) state.nextCdrAt = earlier(state.nextCdrAt, next_attempt_at)
}

function leave(state: OcpiPartnerState, row: OcpiCdrPush, context: Context): readonly Effect[] {
  state.cdrs.delete(row.session_id)
  return [putCdrRow(state, row, context)]
}

/** The partner has all of them. */
export function nothingToSend(state: OcpiPartnerState, { row }: DueCdr, context: Context): readonly Effect[] {
  const { next_attempt_at: _, ...kept } = row
  return leave(state, kept, context)
}

/** The partner has no place for CDRs now. */
export function putOffCdr(state: OcpiPartnerState, { row }: DueCdr, context: Context): readonly Effect[] {
  return leave(state, { ...row, next_attempt_at: context.steady() + hour }, context)
}

/** Its party cannot be reached: it is kept, and sent when the hub reaches the party again. */
export function holdCdr(
  state: OcpiPartnerState,
  { row }: DueCdr,
  heldFor: string,
  context: Context,
): readonly Effect[] {
  const { next_attempt_at: _, ...kept } = row
  return leave(state, { ...kept, held_for: heldFor }, context)
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
  const now = context.steady()
  if (outcome.type === 'delivered' || isKnownAlready(outcome)) {
    const location = outcome.type === 'delivered' ? outcome.location : undefined
    const sent: OcpiSentCdr = { cdr_id: cdrId, sent_at: context.now(), ...(location !== undefined && { location }) }
    // Whether there is another one is seen when it would be sent.
    const taken = { ...withoutError(row), sent: [...row.sent, sent], attempts: 0, next_attempt_at: now }
    return [putCdrRow(state, taken, context)]
  }
  const { message: error } = outcome as Exclude<OcpiOutcome, { readonly type: 'delivered' }>
  const verdict = verdictOf(outcome)
  // The partner's pause is what it waits for, and that is not written for each.
  if (verdict === 'away')
    return row.error === undefined ? [putCdrRow(state, { ...row, attempts: row.attempts + 1, error }, context)] : []
  const { row: tried, delay } = failed(row, error, context.now(), verdict === 'failing' ? failingDelays : undefined)
  return leave(state, { ...tried, next_attempt_at: now + delay }, context)
}

const knownAlready = /\bduplicate\b|\balready (exists|known|present|processed|received|registered|stored)\b/i

/** A CDR is posted once in effect: a partner that has it from an attempt whose answer was lost may say so by a refusal. */
function isKnownAlready(outcome: OcpiOutcome): boolean {
  if (outcome.type !== 'refused') return false
  return outcome.httpStatus === 409 || knownAlready.test(outcome.message)
}
