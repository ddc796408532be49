// Events of billing.

import { Type } from 'typebox'
import { currency, defineEvent } from './define-event.js'

export const invoiceReady = defineEvent({
  name: 'billing.invoice_ready',
  description: 'The invoice for a month has been issued.',
  data: Type.Object({
    invoice_id: Type.String({ examples: ['inv_01M7YW4E6G1X0Z8V7S5D6C4R2T'] }),
    number: Type.String({ examples: ['2026-000017'] }),
    month: Type.String({ description: 'The month, as YYYY-MM.', examples: ['2026-10'] }),
    currency: currency(),
    total: Type.Number({ description: 'The total including tax.', examples: [1284.5] }),
    count: Type.Integer({ description: 'The number of sessions on the invoice.', examples: [173] }),
  }),
})
