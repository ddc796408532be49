// The area of invoices and revenue: what an organization's sessions have brought in. Invoices are made by the billing actor, never here.

import { invoicesTable } from '../../../records/invoice.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Billing',
  about: 'Invoices, revenue, disputes, and transactions that could not be matched to a session.',
  path: '/api/v1/billing',
  read: 'read:billing',
  write: 'write:billing',
})

export const invoices = defineOwned({ table: invoicesTable, id: 'invoice_id', called: 'invoice' })
