// What a document about a session states about its payment: its heading, and the lines below the total. Only what was paid makes a
// receipt; what was not is a statement of charges.

import { amountOf, minorOf } from '../../pricing/money.js'
import type { ReceiptDocument } from '../../records/receipt.js'
import type { Detail } from './letterhead.js'
import type { PrintedWords } from './printed-words.js'
import type { Sum } from './table.js'
import { dateText, moneyText } from './words.js'

interface Standing {
  /** In minor units: what the payee has kept, what of the cost is not paid, and what is still to be given back. */
  readonly paid: number
  readonly unpaid: number
  readonly excess: number
}

function standingOf({ payment, cost, minor_units }: ReceiptDocument): Standing {
  const minor = (amount: number): number => minorOf(amount, minor_units)
  const paid = payment === undefined ? 0 : minor(payment.captured) - minor(payment.refunded)
  const total = minor(cost.total)
  return { paid, unpaid: Math.max(0, total - paid), excess: Math.max(0, paid - total) }
}

/** A session whose payment is not this service's to collect has no payment here, and the heading that it always had. */
export function headingOf(document: ReceiptDocument): string {
  if (document.payment === undefined) return 'Receipt'
  const { paid, unpaid } = standingOf(document)
  if (unpaid === 0) return 'Receipt'
  return paid === 0 ? 'Statement of charges' : 'Receipt and statement of charges'
}

export function paymentDetails(document: ReceiptDocument, { paidBy }: PrintedWords): readonly Detail[] {
  const { payment, minor_units, cost, session } = document
  if (payment === undefined) return []
  const { paid } = standingOf(document)
  const lines =
    paid === 0
      ? [payment.is_pending ? 'Payment in progress' : 'Not paid']
      : [`Paid ${moneyText(amountOf(paid, minor_units), cost.currency, minor_units)}`]
  if (payment.captured > 0) {
    const { captured_at } = payment
    lines.push(paidBy(captured_at === undefined ? undefined : dateText(captured_at, session.time_zone)))
  }
  if (payment.reference !== undefined) lines.push(`Reference ${payment.reference}`)
  return [{ label: 'PAYMENT', lines }]
}

export function paymentSums(document: ReceiptDocument): readonly Sum[] {
  const { payment, minor_units, cost, session } = document
  if (payment === undefined) return []
  const { unpaid, excess } = standingOf(document)
  const money = (amount: number): string => moneyText(amount, cost.currency, minor_units)
  const on = (label: string, at: string | undefined): string =>
    at === undefined ? label : `${label} on ${dateText(at, session.time_zone)}`
  const sums: Sum[] = []
  if (payment.captured > 0) sums.push({ label: on('Paid', payment.captured_at), amount: money(payment.captured) })
  if (payment.refunded > 0) sums.push({ label: on('Refunded', payment.refunded_at), amount: money(-payment.refunded) })
  if (excess > 0) sums.push({ label: 'Still to be refunded', amount: money(amountOf(excess, minor_units)) })
  if (unpaid > 0) sums.push({ label: 'Not paid', amount: money(amountOf(unpaid, minor_units)), strong: true })
  return sums
}

export function paymentNotes(document: ReceiptDocument, { notes }: PrintedWords): readonly string[] {
  if (document.payment === undefined) return []
  const { paid, unpaid } = standingOf(document)
  if (unpaid === 0) return []
  if (document.payment.is_pending) return [notes.paymentPending]
  return [paid === 0 ? notes.nothingPaid : notes.partlyPaid]
}
