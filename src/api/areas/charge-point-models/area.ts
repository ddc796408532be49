// The area of models: what charge points of one vendor, model and firmware version are like.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Charge point models',
  about: 'What commissioning has learned about each model and firmware version, and corrections of it.',
  path: '/api/v1/charge-point-models',
  read: 'read:charge_points',
  write: 'write:charge_points',
})
