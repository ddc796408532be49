// CDRs of a partner's sessions are made when a session has ended, and when what it is billed has changed since: stored once, in the commit that has
// them sent. Where the session was is kept from its start (OCPI 2.2.1, 10.3.1). A partner that takes no CDRs by itself reads them.

import type { Cdr, CdrLocation } from '../../ocpi/schemas/cdr.js'
import type { OcpiCdrRow } from '../../records/ocpi-cdr.js'
import { endpointOf, type OcpiPartner } from '../../records/ocpi-partner.js'
import { type OcpiCdrPush, ocpiCdrPushesTable } from '../../records/ocpi-push.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { cdrRowOf, earlier, putCdrRow, withoutError } from './cdr-rows.js'
import { failed } from './delays.js'
import type { OcpiPartnerState } from './state.js'
import { cdrsMade, putCdr, writesOf } from './turn-writes.js'

/** Sessions that one turn bills: each costs about as much as a message of its charge point. */
const billsPerTurn = 8

/** A session has begun, or has been told of for the first time. */
export function noteStart(state: OcpiPartnerState, sessionId: string, context: Context): readonly Effect[] {
  if (cdrRowOf(state, sessionId, context) !== undefined) return []
  return [putCdrRow(state, newRow(state, sessionId, context), context)]
}

function newRow(state: OcpiPartnerState, sessionId: string, context: Context): OcpiCdrPush {
  const place = state.source.placeOf(context.read(), sessionId, context.now())
  return {
    partner_id: context.id,
    session_id: sessionId,
    ...(place !== undefined && { place }),
    sent: [],
    noted_at: context.now(),
    attempts: 0,
  }
}

/** It has ended, or ended otherwise than was said. */
export function noteEnd(state: OcpiPartnerState, sessionId: string, context: Context): readonly Effect[] {
  const before = cdrRowOf(state, sessionId, context) ?? newRow(state, sessionId, context)
  const { waited_ms: _, ...row } = before
  const noted = { ...row, bill_at: context.steady(), noted_at: context.now(), attempts: 0 }
  return [putCdrRow(state, noted, context)]
}

/** Also while the partner is away: it may read them when it is back. */
export function billDue(state: OcpiPartnerState, partner: OcpiPartner, context: Context): readonly Effect[] {
  const now = context.steady()
  if (state.nextBillAt === undefined || state.nextBillAt > now) return []
  const view = context.read()
  const written = writesOf(state, context).pushes
  const limit = billsPerTurn + written.size + 1
  const stored = view.listBy(ocpiCdrPushesTable, 'toBill', [context.id], { limit })
  const rows = stored.filter(({ session_id }) => !written.has(session_id))
  // What this turn has written is billed by the next.
  const due = rows.filter(({ bill_at = now }) => bill_at <= now).slice(0, billsPerTurn)
  const effects = due.flatMap((row) => bill(state, partner, row, context))
  const left = rows.find((row) => !due.includes(row))
  state.nextBillAt = left?.bill_at
  for (const { bill_at } of writesOf(state, context).pushes.values())
    state.nextBillAt = earlier(state.nextBillAt, bill_at)
  return effects
}

function bill(
  state: OcpiPartnerState,
  partner: OcpiPartner,
  { bill_at: _, ...row }: OcpiCdrPush,
  context: Context,
): readonly Effect[] {
  const now = context.now()
  const view = context.read()
  const { session_id: sessionId } = row
  const stored = cdrsMade(state, sessionId, context)
  const place = (row.place as CdrLocation | undefined) ?? state.source.placeOf(view, sessionId, now)
  const before = stored.map(({ cdr }) => cdr as Cdr)
  const made = state.source.bill(view, sessionId, { place, before }, now)
  if ('reason' in made) return [putCdrRow(state, unbilled(row, made.reason, context), context)]
  const first = stored.length
  const cdrs = made.cdrs.map((cdr, index) => cdrRow(cdr, made.pricedAt, partner, sessionId, first + index, now))
  const isSent = cdrs.length > 0 && endpointOf(partner, 'cdrs', 'RECEIVER') !== undefined
  // One that waits for its time goes on waiting: what corrects it comes after it.
  const next = isSent ? (row.next_attempt_at ?? context.steady()) : row.next_attempt_at
  const billed = {
    ...withoutError(row),
    attempts: 0,
    ...(isSent && { is_posted: true as const }),
    ...(next !== undefined && { next_attempt_at: next }),
  }
  return [...cdrs.map((cdr) => putCdr(state, cdr, context)), putCdrRow(state, billed, context)]
}

function unbilled(row: OcpiCdrPush, error: string, context: Context): OcpiCdrPush {
  const { row: tried, delay } = failed(row, error, context.now())
  return { ...tried, bill_at: context.steady() + delay }
}

function cdrRow(
  cdr: Cdr,
  pricedAt: string,
  partner: OcpiPartner,
  sessionId: string,
  number: number,
  now: number,
): OcpiCdrRow {
  return {
    cdr_id: cdr.id,
    partner_id: partner.partner_id,
    organization_id: partner.organization_id,
    session_id: sessionId,
    number,
    ...(cdr.credit === true && { is_credit: true }),
    priced_at: pricedAt,
    ended_at: Date.parse(cdr.end_date_time),
    created_at: now,
    cdr,
  }
}
