// Reset: restarts the charge point (OCPP 1.6, 5.14).

import { type Static, Type } from 'typebox'
import { statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const reset = defineMessage({
  action: 'Reset',
  from: 'central-system',
  profile: 'Core',
  request: Type.Object({ type: Type.Enum(['Hard', 'Soft']) }, strict),
  response: statusOnly(['Accepted', 'Rejected']),
})

export type ResetRequest = Static<typeof reset.request>
export type ResetResponse = Static<typeof reset.response>
