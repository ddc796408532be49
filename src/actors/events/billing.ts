// Events of billing.

import { Type } from 'typebox'
import { currency, defineEvent } from './define-event.js'

export const invoiceReady = defineEvent({
  name: 'billing.invoice_ready',
  description: 'The invoice of a month has been made.',
  data: Type.Object({
    invoice_id: Type.String(),
    number: Type.String(),
    month: Type.String({ description: 'YYYY-MM' }),
    currency: currency(),
    total: Type.Number({ description: 'with tax' }),
    count: Type.Integer({ description: 'sessions on it' }),
  }),
})
