// An operator says which session a StopTransaction belongs to that no session explained. It then ends that session as it would have
// when it came: by the same code, judged by the time at which it arrived.

import { type StopTransactionRequest, unknownMeterStop } from '../../ocpp16/index.js'
import { sessionsTable, unmatchedTransactionsTable } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { ErrorKind } from '../../runtime/errors.js'
import { notFound } from '../../runtime/errors.js'
import { alreadyAttached, chargePointMismatch, sessionCompleted } from './errors.js'
import type { AttachReply, AttachUnmatchedMessage } from './messages.js'
import { sessionReconciled } from './session-events.js'
import type { State } from './state.js'
import { stopSession } from './stop-transaction.js'

export function attachUnmatched(state: State, message: AttachUnmatchedMessage, context: Context): readonly Effect[] {
  const { effects, reply } = attach(state, message, context)
  return context.replyTo === undefined ? effects : [...effects, effect.reply(context.replyTo, reply)]
}

function attach(
  state: State,
  { unmatchedId, sessionId, by }: AttachUnmatchedMessage,
  context: Context,
): { readonly effects: readonly Effect[]; readonly reply: AttachReply } {
  const view = context.read()
  const unmatched = view.get(unmatchedTransactionsTable, [unmatchedId])
  const session = view.get(sessionsTable, [sessionId])
  // Both are the asker's, who may have had the charge point before: what it said then is not its present organization's.
  if (unmatched === undefined) return refuse(notFound, 'there is no such unmatched transaction')
  if (session?.organization_id !== unmatched.organization_id) return refuse(notFound, 'there is no such session')
  if (unmatched.attached_session_id === sessionId)
    return { effects: [], reply: { type: 'attached', session, unmatched } }
  if (unmatched.attached_session_id !== undefined)
    return refuse(alreadyAttached, `this message is already attached to session ${unmatched.attached_session_id}`)
  if (session.charge_point_id !== context.id || unmatched.charge_point_id !== context.id)
    return refuse(chargePointMismatch, 'the session belongs to another charge point')
  if (session.status === 'completed')
    return refuse(sessionCompleted, 'the session has been ended by its charge point already')
  // As it was kept: a meterStop that was missing is missing.
  const payload = unmatched.payload as Omit<StopTransactionRequest, 'meterStop'> & { readonly meterStop?: number }
  const request: StopTransactionRequest = { ...payload, meterStop: payload.meterStop ?? unknownMeterStop }
  const receivedAt = Date.parse(unmatched.received_at)
  const ended = stopSession(state, { session, flags: ['reconciled'] }, request, receivedAt, context)
  const attached = {
    ...unmatched,
    attached_session_id: sessionId,
    attached_at: new Date(context.now()).toISOString(),
    attached_by: by,
  }
  return {
    effects: [
      ...ended.effects,
      effect.put(unmatchedTransactionsTable, attached),
      sessionReconciled(ended.session, unmatchedId, by),
    ],
    reply: { type: 'attached', session: ended.session, unmatched: attached },
  }
}

function refuse(
  { code }: ErrorKind,
  message: string,
): { readonly effects: readonly Effect[]; readonly reply: AttachReply } {
  return { effects: [], reply: { type: 'refused', code, message } }
}
