// DiagnosticsStatusNotification and LogStatusNotification: how an upload goes (OCPP 1.6, 4.4; security whitepaper, N01).

import { logStatusNotification as logMessage, diagnosticsStatusNotification as message } from '../../ocpp16/index.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { defineHandler } from './request-handler.js'
import { type State, saveRow } from './state.js'

function noteStatus(state: State, status: string, context: Context): readonly Effect[] {
  return status === 'Idle' || status === state.row.diagnostics_status
    ? []
    : [saveRow(state, { diagnostics_status: status }, context)]
}

export const diagnosticsStatusNotification = defineHandler({
  message,
  needs: 'Pending',
  handle: (state, request, context) => ({ response: {}, effects: noteStatus(state, request.status, context) }),
})

export const logStatusNotification = defineHandler({
  message: logMessage,
  needs: 'Pending',
  handle: (state, request, context) => ({ response: {}, effects: noteStatus(state, request.status, context) }),
})
