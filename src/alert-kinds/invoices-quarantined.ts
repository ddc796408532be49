// The service fails again and again at the invoices of a month.

import { defineAlertKind } from './define-kind.js'

export const invoicesQuarantined = defineAlertKind({
  name: 'invoices_quarantined',
  severity: 'critical',
  meaning: 'A month could not be invoiced. The service tries again. Sent at most once an hour.',
  lasts: false,
  nextStep: 'Read the log of the service for the reason, and report it to its developers.',
  find: () => ({ message: 'the month could not be invoiced; the service tries again' }),
})
