// reset: Reset (OCPP 1.6, 5.14).

import { Type } from 'typebox'
import { reset as message } from '../../../ocpp16/index.js'
import { defineRaw } from './define-raw.js'

export const reset = defineRaw(message, {
  operationId: 'resetChargePoint',
  summary: 'Restart a charge point',
  body: { type: Type.Enum(['Soft', 'Hard']) },
  repeats: ['type'],
  example: { type: 'Soft' },
})
