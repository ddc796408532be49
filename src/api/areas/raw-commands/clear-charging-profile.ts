// clear_charging_profile: ClearChargingProfile (OCPP 1.6, 5.5).

import { Type } from 'typebox'
import { clearChargingProfile as message } from '../../../ocpp16/index.js'
import { connectorId, integer32 } from '../../pipeline/schemas.js'
import { defineRaw } from './define-raw.js'

export const clearChargingProfile = defineRaw(message, {
  summary: 'Remove charging profiles by id or by filters',
  body: {
    id: Type.Optional(integer32()),
    connector_id: Type.Optional(connectorId(0)),
    charging_profile_purpose: Type.Optional(Type.Enum(['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile'])),
    stack_level: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
  },
  example: { id: 7 },
})
