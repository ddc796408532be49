// Gives invoices their numbers: one sequence an issuer, without gaps, whoever is billed (Directive 2006/112/EC, article 226(2)). Only the
// issuer's own billing actor does so, one turn after the other, so that two organizations never get the same number.

import { invoiceReady } from '../../events/billing.js'
import { emit } from '../../events/define-event.js'
import { documentNumbersTable } from '../../records/document-number.js'
import { type Invoice, invoicesTable, unnumberedInvoicesTable } from '../../records/invoice.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { assert } from '../../runtime/assert.js'
import { limits } from '../../runtime/limits.js'
import { type BillingMessage, billingAddress } from './messages.js'

/** The next part of what waits: numbers, invoices and events in one commit. */
export function numberInvoices(context: Context): Effect[] {
  const view = context.read()
  const limit = limits.rowsPerWalkStep
  const waiting = view.list(unnumberedInvoicesTable, [context.id], { limit })
  if (waiting.length === 0) return []
  const before = view.get(documentNumbersTable, [context.id, 'invoice'])
  const last = before?.last ?? 0
  assert(Number.isSafeInteger(last) && last >= 0, 'the numbers of invoices count up', context.id, last)
  const issued_at = new Date(context.now()).toISOString()
  const numbered = waiting.flatMap((unnumbered, index): Effect[] => {
    const known = view.get(invoicesTable, [unnumbered.invoice_id])
    assert(known === undefined, 'an invoice has one number', unnumbered.invoice_id, known?.number)
    const invoice: Invoice = {
      ...unnumbered,
      number: `INV-${String(last + index + 1).padStart(6, '0')}`,
      issued_at,
    }
    const { invoice_id, number, month, currency, total, count } = invoice
    const about = { organizationId: invoice.organization_id, subject: invoice.organization_id }
    return [
      effect.remove(unnumberedInvoicesTable, unnumberedInvoicesTable.key(unnumbered)),
      effect.put(invoicesTable, invoice),
      emit(invoiceReady, about, { invoice_id, number, month, currency, total, count }),
    ]
  })
  const numbers = {
    organization_id: context.id,
    series: 'invoice' as const,
    version: (before?.version ?? 0) + 1,
    last: last + waiting.length,
  }
  const more = waiting.length < limit ? [] : [effect.send(billingAddress(context.id), again)]
  return [...numbered, effect.put(documentNumbersTable, numbers), ...more]
}

const again: BillingMessage = { type: 'number-invoices' }
