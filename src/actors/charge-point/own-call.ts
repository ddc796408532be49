// A call of the actor's own: nobody waits for its answer.

import type { OcppCall } from '../../ocpp16/index.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { enqueueCall } from './call-queue.js'
import type { CallMessage } from './messages.js'
import type { State } from './state.js'

const ownCallTimeoutMs = 30_000

export function ownCall(
  state: State,
  { action, payload }: OcppCall,
  context: Context,
  callId = context.newId('call'),
): readonly Effect[] {
  const call: CallMessage = {
    type: 'call',
    commandId: callId,
    action,
    payload,
    remainingMs: ownCallTimeoutMs,
    router: undefined,
  }
  return enqueueCall(state.calls, call, state.connection, context)
}
