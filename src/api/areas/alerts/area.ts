// The area of alerts: what somebody should look at. Their rows are written by those who find their causes.

import { Type } from 'typebox'
import { alertsTable } from '../../../records/alert.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Alerts',
  about: 'What needs attention: faults, lost connections, refused connections and failed payments.',
  path: '/api/v1/alerts',
  read: 'read:charge_points',
  write: 'write:charge_points',
})

export const alerts = defineOwned({
  table: alertsTable,
  id: 'alert_id',
  called: 'alert',
  schema: Type.String({ minLength: 1, maxLength: 64 }),
})
