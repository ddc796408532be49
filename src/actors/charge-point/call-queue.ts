// The calls to one charge point: one outstanding, the rest in line (OCPP-J 1.6, 4.1.1), and the answers that come too late.

import { writeCall } from '../../ocpp16/index.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { assert } from '../../runtime/assert.js'
import { limits } from './limits.js'
import type { CallMessage, CallOutcome } from './messages.js'

/** A call that is waited for until then, monotonic ms of this machine. */
interface DueCall extends CallMessage {
  readonly deadline: number
}

interface Outstanding {
  readonly call: DueCall
  readonly sentAt: number
}

export interface CallQueue {
  outstanding: Outstanding | undefined
  waiting: DueCall[]
  /** Calls that timed out, by message id, oldest first: their answers may still come. */
  late: Map<string, CallMessage> | undefined
}

export function emptyCallQueue(): CallQueue {
  return { outstanding: undefined, waiting: [], late: undefined }
}

/** The CALL's message id is the command's id, so that a charge point's own log can be matched with the history. */
export function enqueueCall(
  calls: CallQueue,
  call: CallMessage,
  connection: number | undefined,
  context: Context,
): readonly Effect[] {
  if (connection === undefined) return ended(call, { type: 'offline' })
  if (calls.waiting.length >= limits.callQueue) return ended(call, { type: 'queue-full' })
  assert(calls.outstanding?.call.commandId !== call.commandId, 'a call is made once', call.commandId)
  calls.waiting.push({ ...call, deadline: context.monotonic() + call.remainingMs })
  return sendNext(calls, connection, context)
}

/** Sends the next call if none is outstanding. One whose deadline has passed in the queue is never sent. */
export function sendNext(calls: CallQueue, connection: number | undefined, context: Context): readonly Effect[] {
  const now = context.monotonic()
  const effects: Effect[] = []
  while (calls.outstanding === undefined && connection !== undefined) {
    const call = calls.waiting.shift()
    if (call === undefined) break
    if (call.deadline <= now) {
      effects.push(...ended(call, { type: 'timeout' }))
      continue
    }
    calls.outstanding = { call, sentAt: now }
    effects.push(
      effect.frame(connection, writeCall(call.commandId, call.action, call.payload)),
      effect.schedule('call', call.deadline, { type: 'call-timed-out', messageId: call.commandId }),
    )
  }
  return effects
}

export type CallAnswer =
  | { readonly type: 'answered'; readonly payload: unknown }
  | { readonly type: 'call-error'; readonly code: string; readonly description: string; readonly details: unknown }

/** An answer came. One that nobody waits for any more is told as late, an unknown one is dropped. */
export function takeAnswer(
  calls: CallQueue,
  messageId: string,
  answer: CallAnswer,
  connection: number | undefined,
  context: Context,
): readonly Effect[] {
  const { outstanding } = calls
  if (outstanding?.call.commandId === messageId) {
    calls.outstanding = undefined
    const responseTimeMs = Math.round(context.monotonic() - outstanding.sentAt)
    return [
      effect.cancel('call'),
      ...ended(outstanding.call, { ...answer, responseTimeMs }),
      ...sendNext(calls, connection, context),
    ]
  }
  const router = calls.late?.get(messageId)?.router
  if (router === undefined) return []
  calls.late?.delete(messageId)
  return [effect.answer(router, { type: 'late-answer', commandId: messageId, payload: latePayload(answer) })]
}

export function latePayload(answer: CallAnswer): unknown {
  return answer.type === 'answered' ? answer.payload : { error: answer.code, description: answer.description }
}

export function timeOut(
  calls: CallQueue,
  messageId: string,
  connection: number | undefined,
  context: Context,
): readonly Effect[] {
  const { outstanding } = calls
  if (outstanding?.call.commandId !== messageId) return []
  const { deadline } = outstanding.call
  assert(deadline <= context.monotonic(), 'a call times out at its deadline', deadline, messageId)
  calls.outstanding = undefined
  calls.late ??= new Map()
  if (calls.late.size >= limits.lateCalls) calls.late.delete(calls.late.keys().next().value as string)
  if (outstanding.call.router !== undefined) calls.late.set(messageId, outstanding.call)
  return [...ended(outstanding.call, { type: 'timeout' }), ...sendNext(calls, connection, context)]
}

/** The socket is gone. What was sent has an unknown fate; what was not sent goes nowhere. */
export function loseConnection(calls: CallQueue, keepWaiting: boolean): readonly Effect[] {
  const lost =
    calls.outstanding === undefined
      ? []
      : [effect.cancel('call'), ...ended(calls.outstanding.call, { type: 'connection-lost' })]
  calls.outstanding = undefined
  if (keepWaiting) return lost
  const unsent = calls.waiting.flatMap((call) => ended(call, { type: 'offline' }))
  calls.waiting = []
  return [...lost, ...unsent]
}

function ended({ router, commandId }: CallMessage, outcome: CallOutcome): readonly Effect[] {
  return router === undefined ? [] : [effect.answer(router, { type: 'call-ended', commandId, outcome })]
}
