// A call of the actor's own: nobody else waits for its answer.

import type { OcppCall } from '../../ocpp16/index.js'
import type { Address, Context, Effect } from '../../runtime/actor/actor.js'
import { enqueueCall } from './call-queue.js'
import type { CallMessage } from './messages.js'
import type { State } from './state.js'

const ownCallTimeoutMs = 30_000

/** `router`: the actor itself, where it wants to hear how the call has ended (`OwnCallMessage`). */
export function ownCall(
  state: State,
  { action, payload }: OcppCall,
  context: Context,
  callId = context.newId('call'),
  router?: Address,
): readonly Effect[] {
  const call: CallMessage = {
    type: 'call',
    commandId: callId,
    action,
    payload,
    remainingMs: ownCallTimeoutMs,
    router,
  }
  return enqueueCall(state.calls, call, state.connection, context)
}
