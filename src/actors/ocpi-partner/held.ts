// What is for a party that its hub does not reach (OCPI 2.2.1, 15.1): nothing is sent and nothing queued. The row of a session's CDRs says that the
// session has something for the party; when the hub reaches it again, it is sent each of these sessions as it is then, and the CDRs that it lacks.

import { keyOfParty } from '../../ocpi/headers.js'
import { isReachable } from '../../records/ocpi-hub-party.js'
import type { OcpiPartner } from '../../records/ocpi-partner.js'
import type { OcpiPartyId } from '../../records/ocpi-party.js'
import { type OcpiCdrPush, ocpiCdrPushesTable } from '../../records/ocpi-push.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { cdrRowOf, putCdrRow } from './cdr-rows.js'
import { ocpiPartnerAddress, reachedParty } from './messages.js'
import { note } from './pending.js'
import { hasRoom, takes } from './reading.js'
import type { OcpiPartnerState } from './state.js'
import { writesOf } from './turn-writes.js'

/** A session's call that is not made: for whom. */
export interface Held {
  readonly heldFor: string
}

/** Undefined where the party can be reached. */
export function heldFor(partner: OcpiPartner, to: OcpiPartyId, context: Context): Held | undefined {
  return isReachable(context.read(), partner, to) ? undefined : { heldFor: keyOfParty(to) }
}

/** It is noted once, however often the session changes. */
export function holdSession(
  state: OcpiPartnerState,
  sessionId: string,
  { heldFor }: Held,
  context: Context,
): readonly Effect[] {
  // It is sent whole when its time has come.
  state.running.delete(sessionId)
  const row = cdrRowOf(state, sessionId, context)
  return row === undefined || row.held_for === heldFor ? [] : [putCdrRow(state, { ...row, held_for: heldFor }, context)]
}

/** So many rows a turn goes through. */
const rowsPerTurn = 50

export function mayRelease(state: OcpiPartnerState): boolean {
  return state.reached.size > 0 && hasRoom(state)
}

export function releaseHeld(state: OcpiPartnerState, partner: OcpiPartner, context: Context): readonly Effect[] {
  const [reason] = state.reached
  if (reason === undefined || !mayRelease(state)) return []
  const rows = heldRows(state, reachedParty(reason) ?? '', context)
  if (rows.length > 0) return rows.map((row) => release(state, partner, row, context))
  state.reached.delete(reason)
  return [wakeNoMore(ocpiPartnerAddress(context.id), reason)]
}

function heldRows(state: OcpiPartnerState, party: string, context: Context): readonly OcpiCdrPush[] {
  const written = writesOf(state, context).pushes
  const limit = rowsPerTurn + written.size
  const rows = context.read().listBy(ocpiCdrPushesTable, 'heldFor', [context.id, party], { limit })
  return rows.filter(({ session_id }) => !written.has(session_id))
}

/** Where the hub has lost the party again, it is held again when it would be sent. */
function release(state: OcpiPartnerState, partner: OcpiPartner, row: OcpiCdrPush, context: Context): Effect {
  const { session_id: sessionId } = row
  const { held_for: _, ...released } = cdrRowOf(state, sessionId, context) ?? row
  if (takes(partner, 'sessions')) note(state, { kind: 'session', sessionId }, { since: context.now() })
  note(state, { kind: 'profile', sessionId }, { since: context.now() })
  // Whether there are CDRs is seen when they would be sent.
  const next = takes(partner, 'cdrs') && { next_attempt_at: context.steady() }
  return putCdrRow(state, { ...released, ...next }, context)
}
