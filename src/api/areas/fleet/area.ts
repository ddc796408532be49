// The area of the fleet: all charge points of an organization at once, for programs that keep them before the eyes of people.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Fleet',
  about:
    'All charge points at once, in columns: a snapshot, a stream of what changes after it, and what needs attention.',
  path: '/api/v1/cpo/fleet',
  read: 'read:charge_points',
  write: 'write:charge_points',
})
