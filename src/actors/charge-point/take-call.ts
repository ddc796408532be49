// A call that the charge point's own organization, or the service, has it sent: whether its registration allows that.

import { messages } from '../../ocpp16/index.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { enqueueCall } from './call-queue.js'
import { noteTrigger } from './commissioning.js'
import type { CallMessage } from './messages.js'
import { registeredFor, type State } from './state.js'

const none: readonly Effect[] = []

export function takeCall(state: State, message: CallMessage, context: Context): readonly Effect[] {
  // To a rejected charge point, nothing is sent (OCPP 1.6, 4.2).
  const isRefused = state.row.registration === 'Rejected'
  const isTooEarly = messages.get(message.action)?.onlyWhenAccepted === true && !registeredFor(state, 'Accepted')
  if (state.connection !== undefined && (isRefused || isTooEarly)) {
    const outcome = { type: 'not-accepted' }
    return message.router === undefined
      ? none
      : [effect.answer(message.router, { type: 'call-ended', commandId: message.commandId, outcome })]
  }
  noteTrigger(state, message, context)
  return enqueueCall(state.calls, message, state.connection, context)
}
