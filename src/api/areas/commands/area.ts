// The area of operator commands: what an operator has a charge point do, and the history of all commands.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Operator commands',
  about: 'Start and stop sessions, set power limits, reset and update: one charge point or up to a hundred.',
  path: '/api/v1/cpo/commands',
  read: 'read:charge_points',
  write: 'write:charge_points',
})
