// The area of disputes, as the operator sees them. They are written by the actor of the charge point, as the sessions are.

import { disputesTable } from '../../../records/dispute.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Billing',
  path: '/api/v1/billing/disputes',
  read: 'read:billing',
  write: 'write:billing',
})

export const disputes = defineOwned({ table: disputesTable, id: 'dispute_id', called: 'dispute', index: 'byId' })
