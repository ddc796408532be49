// clear_power_limit: removes the profile of set_power_limit by its id, and no other (OCPP 1.6, 5.5).

import { Type } from 'typebox'
import { callOf, clearChargingProfile as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { connectorOrAll } from '../parameters.js'
import { powerLimitProfileId } from '../power-limit-profile.js'

export const clearPowerLimit = defineCommand({
  name: 'clear_power_limit',
  summary: 'Remove the limit that set_power_limit has set',
  parameters: Type.Object({ connector_id: connectorOrAll() }),
  call: ({ connector_id }) => callOf(message, { id: powerLimitProfileId(connector_id) }),
})
