// Compares the CDRs of sessions with the CDRs that the partner has taken: after a start, and once a day. A CDR that nothing would send any more is due
// again. It walks the rows of the partner's sessions a few at a time; the partners of a shard take turns.

import { ocpiCdrsTable } from '../../records/ocpi-cdr.js'
import type { OcpiPartner } from '../../records/ocpi-partner.js'
import { type OcpiCdrPush, ocpiCdrPushesTable } from '../../records/ocpi-push.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { after } from '../../runtime/store/table.js'
import { putCdrRow } from './cdr-rows.js'
import { limits } from './limits.js'
import { takes } from './reading.js'
import type { OcpiPartnerState } from './state.js'
import { cdrsMade, writesOf } from './turn-writes.js'

const none: readonly Effect[] = []

export function compareCdrs(state: OcpiPartnerState, partner: OcpiPartner, context: Context): readonly Effect[] {
  const now = context.monotonic()
  if (now < state.comparison.dueAt) return none
  const rows = takes(partner, 'cdrs') ? nextRows(state, context) : []
  const isOver = rows.length < limits.ocpiComparedPerTurn
  state.comparison = isOver
    ? { behind: undefined, dueAt: now + limits.ocpiCompareEveryMs }
    : { behind: rows.at(-1)?.session_id, dueAt: state.walks.next(now) }
  const lost = rows.filter((row) => isLost(state, row, context))
  if (lost.length > 0) {
    const sessions = lost.map(({ session_id }) => session_id)
    context.log.warn({ partner: context.id, sessions }, 'CDRs that nothing would have sent are sent now')
  }
  return lost.map((row) => putCdrRow(state, { ...row, next_attempt_at: context.steady() }, context))
}

function nextRows({ comparison: { behind } }: OcpiPartnerState, context: Context): readonly OcpiCdrPush[] {
  const from = behind === undefined ? {} : { from: after([behind]) }
  return context.read().list(ocpiCdrPushesTable, [context.id], { limit: limits.ocpiComparedPerTurn, ...from })
}

/** A CDR was made that the partner has not taken, and nothing would send it. */
function isLost(state: OcpiPartnerState, row: OcpiCdrPush, context: Context): boolean {
  const { session_id: sessionId, sent } = row
  if (row.next_attempt_at !== undefined || row.held_for !== undefined) return false
  // The partner may have read it where it had no place for CDRs when this one was made.
  if (row.is_posted !== true && sent.length === 0) return false
  // They are sent in their order: mostly, there is none behind the last one that was sent.
  if (context.read().get(ocpiCdrsTable, [context.id, sessionId, sent.length]) === undefined) return false
  if (writesOf(state, context).pushes.has(sessionId)) return false
  return cdrsMade(state, sessionId, context).some(({ cdr_id }) => sent.every((one) => one.cdr_id !== cdr_id))
}
