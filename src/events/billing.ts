// Events of billing.

import { Type } from 'typebox'
import { currency, defineEvent } from './define-event.js'

export const invoiceReady = defineEvent({
  name: 'billing.invoice_ready',
  description: 'The invoice of a month has been made.',
  data: Type.Object({
    invoice_id: Type.String({ examples: ['inv_01M7YW4E6G1X0Z8V7S5D6C4R2T'] }),
    number: Type.String({ examples: ['2026-000017'] }),
    month: Type.String({ description: 'YYYY-MM', examples: ['2026-10'] }),
    currency: currency(),
    total: Type.Number({ description: 'with tax', examples: [1284.5] }),
    count: Type.Integer({ description: 'sessions on it', examples: [173] }),
  }),
})
