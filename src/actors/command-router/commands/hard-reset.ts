// hard_reset: Reset of type Hard, at once (OCPP 1.6, 5.14).

import { Type } from 'typebox'
import { callOf, reset as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'

export const hardReset = defineCommand({
  name: 'hard_reset',
  summary: 'Restart the charge point at once',
  parameters: Type.Object({}),
  call: () => callOf(message, { type: 'Hard' }),
})
