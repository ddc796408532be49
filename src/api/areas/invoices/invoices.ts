// Monthly invoices as callers see them, and the schemas of what they see.

import { Type } from 'typebox'
import { sessionTaxes } from '../../../pricing/tax-by-rate.js'
import { type Invoice, type InvoiceItem, invoiceLineTypes } from '../../../records/invoice.js'
import type { Issuer } from '../../../records/issuer.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { amounts, inKwh } from './amounts.js'

export const month = () =>
  Type.String({
    ...patternOf('^\\d{4}-(0[1-9]|1[0-2])$', 'a month such as 2026-01'),
    description: 'The month, as YYYY-MM.',
  })

const lineType = Type.Enum([...invoiceLineTypes], {
  description:
    '`sessions` are those of the month. `late_sessions` are those of earlier months that were priced after their month had been closed. ' +
    '`corrections` are the differences from what earlier invoices billed.',
})

const detail = () => nullable(Type.String())

const partySchema = () =>
  Type.Object(
    {
      name: Type.String(),
      country: Type.String(),
      contact_email: Type.String(),
      legal_name: detail(),
      street: detail(),
      postal_code: detail(),
      city: detail(),
      vat_id: detail(),
      registration_number: detail(),
    },
    { description: 'The details as they were when the invoice was issued.' },
  )

export const invoiceSchema = named('Invoice', {
  invoice_id: Type.String(),
  number: Type.String(),
  month: month(),
  period_from: timestamp('Inclusive.'),
  period_to: timestamp('Exclusive.'),
  time_zone: Type.String(),
  currency: Type.String(),
  issued_at: timestamp(),
  count: Type.Integer({ description: 'The number of sessions and corrections.' }),
  issuer: partySchema(),
  recipient: partySchema(),
  ...amounts,
  tax: Type.Number({ description: 'The sum of the taxes in `taxes`.' }),
  taxes: Type.Array(
    Type.Object({
      tax_percentage: Type.Number(),
      net: Type.Number({ description: 'The net amount of all lines with this rate.' }),
      tax: Type.Number({ description: 'The tax on that net amount, rounded once.' }),
    }),
  ),
  rounding: Type.Number({
    description:
      'The sum of the taxes of the single sessions, each rounded on its own, less `tax`. It is 0 on older invoices, whose `tax` is that sum.',
  }),
  total: Type.Number({ description: 'The sum of subtotal, adjustments, tax and rounding: what the sessions cost.' }),
  lines: Type.Array(
    Type.Object({
      type: lineType,
      tariff_id: Type.String(),
      tariff_name: Type.String(),
      tax_percentage: Type.Number(),
      count: Type.Integer(),
      ...amounts,
    }),
  ),
})

function partyView(party: Issuer) {
  const { name, country, contact_email } = party
  const { legal_name = null, street = null, postal_code = null, city = null } = party
  const { vat_id = null, registration_number = null } = party
  return { name, country, contact_email, legal_name, street, postal_code, city, vat_id, registration_number }
}

export function invoiceView({
  organization_id: _,
  minor_units: __,
  issuer_id: ___,
  layout: ____,
  ...invoice
}: Invoice) {
  return {
    ...inKwh(invoice),
    taxes: [...(invoice.taxes ?? sessionTaxes(invoice.lines))],
    rounding: invoice.rounding ?? 0,
    issuer: partyView(invoice.issuer),
    recipient: partyView(invoice.recipient),
    lines: invoice.lines.map(inKwh),
  }
}

export const invoiceItemSchema = named('InvoiceItem', {
  session_id: Type.String(),
  type: lineType,
  charge_point_id: Type.String(),
  ended_at: timestamp(),
  tariff_id: Type.String(),
  tax_percentage: Type.Number(),
  ...amounts,
})

export function itemView({ invoice_id: _, organization_id: __, month: ___, currency: ____, ...item }: InvoiceItem) {
  return inKwh(item)
}
