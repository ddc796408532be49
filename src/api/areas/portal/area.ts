// The area of the driver portal: what a driver may know of a session, and do about its cost.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Portal',
  about: "A driver's view of sessions: what they cost and why, receipts and disputes.",
  path: '/api/v1/portal/sessions',
  read: 'read:sessions',
  write: 'write:sessions',
})
