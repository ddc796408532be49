// The area of the audit log, which is only read.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Audit log',
  about: 'Who changed what, and when.',
  path: '/api/v1/org/audit-log',
  read: 'read:organisations',
  write: 'write:organisations',
})
