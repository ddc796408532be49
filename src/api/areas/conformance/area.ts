// The area of conformance: how well charge points keep to OCPP 1.6, each of them and each model.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Conformance',
  about: 'Which rules of OCPP 1.6 charge points break, for each charge point and for each model and firmware.',
  path: '/api/v1',
  read: 'read:charge_points',
  write: 'write:charge_points',
})
