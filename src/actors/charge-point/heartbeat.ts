// Heartbeat: the charge point's clock is set by the answer (OCPP 1.6, 4.6). Writes nothing of its own.

import { heartbeat as message, writeTimestamp } from '../../ocpp16/index.js'
import type { Context } from '../../runtime/actor/actor.js'
import { reportedOnRequest } from './commissioning.js'
import { defineHandler } from './request-handler.js'

const answer = (context: Context) => ({ currentTime: writeTimestamp(context.now()) })

export const heartbeat = defineHandler({
  message,
  needs: 'Pending',
  handle(state, _request, context) {
    state.counted.heartbeats++
    const effects = reportedOnRequest(state, message.action, undefined, context)
    return { response: answer(context), ...(effects.length > 0 && { effects }) }
  },
  // The charge point keeps its clock, and its connection, while the disk is full.
  withoutStore: (_request, context) => answer(context),
})
