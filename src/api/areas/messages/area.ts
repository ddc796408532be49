// The area of messages: what charge points and the service have said to each other, and captures of all that is said.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Messages',
  about:
    'Read what a charge point and the service have said to each other, follow it live, and record all of it for a while.',
  path: '/api/v1',
  read: 'read:messages',
  write: 'write:charge_points',
})
