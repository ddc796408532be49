// The area of raw commands: calls of OCPP 1.6 as the standard has them. They are answered with what the charge point answered, a refusal
// included; that the charge point could not be asked is an error.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'OCPP 1.6 commands',
  about: 'Every OCPP 1.6 request that a central system can send, as the standard names it.',
  path: '/api/v1/ocpp16',
  read: 'read:charge_points',
  write: 'write:charge_points',
})
