// Asks a charge point for a BootNotification: it learns of its registration by the answer to one alone (OCPP 1.6, 4.2).

import { bootNotification, callOf, triggerMessage } from '../../ocpp16/index.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { ownCall } from './own-call.js'
import type { State } from './state.js'

const bootCall = callOf(triggerMessage, { requestedMessage: bootNotification.action })

export function askToBoot(state: State, context: Context): readonly Effect[] {
  return ownCall(state, bootCall, context)
}
