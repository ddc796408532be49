// change_availability: ChangeAvailability (OCPP 1.6, 5.2).

import { Type } from 'typebox'
import { changeAvailability as message } from '../../../ocpp16/index.js'
import { connectorId } from '../../pipeline/schemas.js'
import { defineRaw } from './define-raw.js'

export const changeAvailability = defineRaw(message, {
  summary: 'Put a connector into or out of service',
  body: { connector_id: connectorId(0), type: Type.Enum(['Operative', 'Inoperative']) },
  repeats: ['connector_id', 'type'],
  example: { connector_id: 0, type: 'Inoperative' },
})
