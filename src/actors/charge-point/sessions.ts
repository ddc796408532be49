// Finds the session that a message speaks of, and ends sessions: by the charge point's word, or by estimate.

import { createHash } from 'node:crypto'
import { meterValuesTable } from '../../records/meter-values.js'
import { type Session, type UnmatchedTransaction, unmatchedTransactionsTable } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { assumeNoMore } from './assumed-charging.js'
import { implausibleFlag } from './energy.js'
import { guestEnded } from './guests.js'
import { warnOfImplausible } from './implausible-energy.js'
import { endPower } from './power.js'
import { logRarely } from './rare-log.js'
import { settleCost } from './session-cost.js'
import { sessionEnded } from './session-events.js'
import { mostOf, registerOf } from './session-register.js'
import { replaceSession, type State } from './state.js'
import { sessionsOfNumber } from './transaction-id.js'

/**
 * Of this charge point, and of the organization that has it now, or of the installer from whom it was claimed: whoever else had its id before
 * keeps sessions of that name (field note 10).
 */
export function isOwnSession({ row, registration }: State, { organization_id, charge_point_id }: Session): boolean {
  const isOwner = organization_id === row.organization_id || organization_id === registration?.installed?.installer_id
  return charge_point_id === row.charge_point_id && isOwner
}

/** By transaction id: its own newest that has it, whoever else has had the number since. */
export function sessionByTransaction(state: State, transactionId: number, context: Context): Session | undefined {
  const open = state.open.find((session) => session.transaction_id === transactionId)
  if (open !== undefined) return open
  return sessionsOfNumber(context.read(), transactionId).find((stored) => isOwnSession(state, stored))
}

export function openOnConnector(state: State, connectorId: number): Session | undefined {
  return state.open.find((session) => session.connector_id === connectorId)
}

/** The last sign of life of the session's charge point, wall ms; its last message may have been a minute later. */
export function lastHeardAt(state: State, session: Session): number {
  const { disconnected_at, last_seen_at, organization_id } = state.row
  const ofRow = organization_id === session.organization_id ? [disconnected_at, last_seen_at] : []
  return Math.max(...[session.received_at, ...ofRow].map((time) => (time === undefined ? 0 : Date.parse(time))))
}

/** Why it is closed, in the words of OCPP 1.6, 7.36, and what that leaves on the session. */
interface EstimatedClose {
  readonly reason: string
  readonly flag?: string
}

/**
 * Ends a session without the charge point's word, at its last meter value, or where there is none when its charge point was last
 * heard; a later StopTransaction refines it.
 */
export function closeByEstimate(
  state: State,
  session: Session,
  { reason, flag }: EstimatedClose,
  context: Context,
): { readonly session: Session; readonly effects: readonly Effect[] } {
  const view = context.read()
  const last = view.list(meterValuesTable, [session.session_id], { reverse: true, limit: 1 })[0]
  const startedAt = Date.parse(session.started_at)
  const isOpen = state.open.some(({ session_id }) => session_id === session.session_id)
  const isOnline = isOpen && state.connection !== undefined
  const heardAt = isOnline ? context.now() : lastHeardAt(state, session)
  const endedAt = Math.max(last?.at ?? heardAt, startedAt)
  const { taken: energyWh } = registerOf(state, session, context)
  const isImplausible = energyWh > mostOf(state, session)(startedAt, endedAt)
  const estimated: Session = {
    ...session,
    status: 'estimated',
    ended_at: new Date(endedAt).toISOString(),
    meter_stop: session.meter_start + energyWh,
    energy_wh: energyWh,
    stop_reason: reason,
    flags: [
      ...session.flags,
      'estimated_close',
      ...(flag === undefined ? [] : [flag]),
      ...(isImplausible ? [implausibleFlag] : []),
    ],
  }
  const { session: closed, effects } = settleCost(estimated, [], context)
  return {
    session: closed,
    effects: [
      replaceSession(state, closed),
      ...effects,
      ...(isOpen ? assumeNoMore(state, closed.connector_id) : []),
      ...(isOnline ? endPower(state, closed.connector_id, context) : []),
      sessionEnded(closed),
      ...warnOfImplausible(state, session, closed, context),
      ...guestEnded(closed, context),
    ],
  }
}

/** A transaction message that no session explains. */
type Unexplained = Pick<UnmatchedTransaction, 'action' | 'payload' | 'why'> & { readonly content: string }

export function unexplained(action: string, payload: unknown, why: string): Unexplained {
  const text = `${action} ${JSON.stringify(payload)}`
  return { action, payload, why, content: createHash('sha256').update(text).digest('base64url') }
}

/** Whether it is a repeat of one that has been kept. */
export function isKeptApart(state: State, { content }: Unexplained, context: Context): boolean {
  const same = [state.row.organization_id, context.id, content]
  return context.read().listBy(unmatchedTransactionsTable, 'byContent', same, { limit: 1 }).length > 0
}

export function keepApart(state: State, message: Unexplained, context: Context): readonly Effect[] {
  const { action, why } = message
  logRarely('warn', 'a transaction message matches no session and is kept apart', { action, why }, context)
  const row: UnmatchedTransaction = {
    unmatched_id: context.newId('unm'),
    organization_id: state.row.organization_id,
    charge_point_id: context.id,
    received_at: new Date(context.now()).toISOString(),
    ...message,
  }
  return [effect.put(unmatchedTransactionsTable, row)]
}
