// soft_reset: Reset of type Soft, which stops transactions gracefully first (OCPP 1.6, 5.14).

import { Type } from 'typebox'
import { callOf, reset as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'

export const softReset = defineCommand({
  name: 'soft_reset',
  summary: 'Restart the charge point after it has ended its sessions',
  parameters: Type.Object({}),
  call: () => callOf(message, { type: 'Soft' }),
})
