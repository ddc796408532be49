// The area of the search, which finds what is named by its id or the beginning of it.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Search',
  about: 'Find a charge point, session, id tag, command or alert by its id or the beginning of it.',
  path: '/api/v1/search',
  read: 'read:charge_points',
  write: 'write:charge_points',
})
