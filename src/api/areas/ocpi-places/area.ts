// The area of places: what an organization tells its roaming partners of its sites and charge points, and what is missing before they see it.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Roaming locations',
  about: 'What roaming partners see of your sites and charge points: whether they are published, and their details.',
  path: '/api/v1',
  read: 'read:ocpi',
  write: 'write:ocpi',
})
