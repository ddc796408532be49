// What is answered to a message that could not be handled, or whose changes the store has not taken.

import { type Frame, readFrame, readRequest, writeError, writeResult } from '../../ocpp16/index.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { type ErrorCode, storageUnavailable } from '../../runtime/errors.js'
import { authorize } from './authorize.js'
import { handlerOf } from './handler-of.js'
import type { ChargePointMessage } from './messages.js'

type CallFrame = Extract<Frame, { type: 'call' }>

const none: readonly Effect[] = []

/** The charge point retries after InternalError (OCPP 1.6, 3.7.1), so nothing that could not be stored is lost. */
export function refused(message: ChargePointMessage, code: ErrorCode, context: Context): readonly Effect[] {
  if (message.type === 'frame') {
    const frame = readFrame(message.text)
    if (frame.type !== 'call') return none
    const response = code === storageUnavailable.code ? responseWithoutStore(frame, context) : undefined
    const answer =
      response === undefined
        ? writeError(frame.rawMessageId, 'InternalError', 'try again later')
        : writeResult(frame.rawMessageId, response)
    return [effect.frame(message.connection, answer)]
  }
  if (message.type === 'roaming-answered') {
    const { to, waiting } = message
    const isSafe = code === storageUnavailable.code && waiting.by === 'card'
    const response = isSafe ? authorize.withoutStore?.(waiting.request, context) : undefined
    const answer =
      response === undefined
        ? writeError(to.messageId, 'InternalError', 'try again later')
        : writeResult(to.messageId, response)
    return [effect.frame(to.connection, answer)]
  }
  if (message.type === 'call' && message.router !== undefined) {
    return [
      effect.answer(message.router, {
        type: 'call-ended',
        commandId: message.commandId,
        outcome: { type: 'not-sent', storage: code === storageUnavailable.code },
      }),
    ]
  }
  return none
}

function responseWithoutStore(frame: CallFrame, context: Context): object | undefined {
  const handler = handlerOf(frame.action)
  if (handler?.withoutStore === undefined) return undefined
  const reading = readRequest(handler.message, frame.payload, context.now())
  return reading.ok ? handler.withoutStore(reading.value, context) : undefined
}
