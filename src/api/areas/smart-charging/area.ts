// The area of smart charging: how the power of a site is shared among the cars that charge there.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Smart charging',
  about: 'Power that is shared among the cars of a site, never exceeded, and explained.',
  path: '/api/v1/smart-charging/sites',
  read: 'read:charge_points',
  write: 'write:charge_points',
})
