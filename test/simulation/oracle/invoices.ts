// Invoices: each session that ended with a cost is billed once, what changes later stands on a later invoice as the difference, invoices
// are the sums of what they bill, never change, and are numbered without a gap.

import type { DiskWatch, Row } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface InvoiceOracle {
  written(): void
  /** When every month with a session is over, and was closed. */
  settled(sessions: Iterable<Row>): void
}

export const invoiceTables = ['invoices', 'invoice_items', 'unnumbered_invoices']

const amounts = ['subtotal', 'adjustments', 'total'] as const
const centsOf = (amount: unknown): number => Math.round(Number(amount ?? 0) * 100)
const keyOf = ({ invoice_id, session_id }: Row): string => `${invoice_id} ${session_id}`

export function createInvoiceOracle({ check }: Verdict, disk: DiskWatch): InvoiceOracle {
  const invoices = new Map<string, Row>()
  const items = new Map<string, Map<string, Row>>()
  /** By who issues them. */
  const lastNumbers = new Map<unknown, number>()

  function itemChanged(before: Row | undefined, after: Row | undefined): void {
    const item = (after ?? before) as Row
    const id = String(item.invoice_id)
    check('invoice-final', !invoices.has(id), () => `${keyOf(item)} changes after its invoice was issued`)
    const ofInvoice = items.get(id) ?? new Map<string, Row>()
    items.set(id, ofInvoice)
    if (after === undefined) ofInvoice.delete(String(item.session_id))
    else ofInvoice.set(String(item.session_id), after)
  }

  function issued(invoice: Row): void {
    const id = String(invoice.invoice_id)
    invoices.set(id, invoice)
    const issuer = (invoice.issuer as Row).name
    const number = Number(/\d+$/.exec(String(invoice.number))?.[0])
    const last = lastNumbers.get(issuer) ?? 0
    lastNumbers.set(issuer, number)
    check('invoice-numbers', number === last + 1, () => `${issuer} issues ${invoice.number} after number ${last}`)
    const billed = [...(items.get(id)?.values() ?? [])]
    check(
      'invoice-sums',
      invoice.count === billed.length,
      () => `${id} says ${invoice.count}, and bills ${billed.length}`,
    )
    const sumOf = (amount: string): number => billed.reduce((all, item) => all + centsOf(item[amount]), 0)
    for (const amount of amounts)
      check(
        'invoice-sums',
        sumOf(amount) === centsOf(invoice[amount]),
        () => `${amount} of ${id} is ${invoice[amount]}, not ${sumOf(amount)} cents`,
      )
    // Tax is computed on the sum; what the sessions' own taxes differ by is a line of its own.
    const taxed = centsOf(invoice.tax) + centsOf(invoice.rounding)
    check(
      'invoice-sums',
      taxed === sumOf('tax'),
      () => `tax and rounding of ${id} are ${taxed}, not ${sumOf('tax')} cents`,
    )
  }

  return {
    written() {
      // A closing stores what it bills before the invoice, and both may be in one group.
      const issuedNow = disk.changes('invoices')
      disk.changes('unnumbered_invoices')
      for (const { before, after } of disk.changes('invoice_items')) itemChanged(before, after)
      for (const { before, after } of issuedNow) {
        const id = String((after ?? before)?.invoice_id)
        check('invoice-final', before === undefined, () => `${id} has changed`)
        if (before === undefined && after !== undefined) issued(after)
      }
    },
    settled(sessions) {
      const billed = new Map<string, Row[]>()
      // One that waits for its number is on disk, and its issuer is asked for the number again every minute.
      const waiting = [...disk.rows('unnumbered_invoices')].map(({ invoice_id }) => String(invoice_id))
      for (const id of [...invoices.keys(), ...waiting])
        for (const item of items.get(id)?.values() ?? []) {
          const session = String(item.session_id)
          billed.set(session, [...(billed.get(session) ?? []), item])
        }
      for (const { session_id: id, cost, ended_at } of sessions) {
        const lines = billed.get(String(id)) ?? []
        const first = lines.filter(({ type }) => type !== 'corrections').length
        const expected = cost === undefined ? 0 : 1
        check(
          'invoice-once',
          first === expected,
          () => `${id}, which cost ${cost} and ended ${ended_at}, is billed ${first} times`,
        )
        const sum = lines.reduce((all, item) => all + centsOf(item.total), 0)
        check('invoice-once', sum === centsOf(cost), () => `${id} costs ${cost}, ${sum} cents are billed`)
      }
    },
  }
}
