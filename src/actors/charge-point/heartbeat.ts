// Heartbeat: the charge point's clock is set by the answer (OCPP 1.6, 4.6). Writes nothing of its own.

import { heartbeat as message, writeTimestamp } from './ocpp/index.js'
import { defineHandler } from './request-handler.js'

export const heartbeat = defineHandler({
  message,
  needs: 'Pending',
  handle: (_state, _request, context) => ({ response: { currentTime: writeTimestamp(context.now()) } }),
})
