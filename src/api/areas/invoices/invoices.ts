// The monthly invoices of the organization: lists, single ones, what each bills, and their PDFs. Made by the billing actor, never here.

import { Type } from 'typebox'
import { sessionTaxes } from '../../../pricing/tax-by-rate.js'
import {
  type Invoice,
  type InvoiceItem,
  invoiceItemsTable,
  invoiceLineTypes,
  invoicesTable,
} from '../../../records/invoice.js'
import type { Issuer } from '../../../records/issuer.js'
import { notFound } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { defineList } from '../../pipeline/list-route.js'
import { readPage } from '../../pipeline/paging.js'
import { printPdf } from '../../pipeline/print-pdf.js'
import { defineRoute } from '../../pipeline/route.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'

const month = () =>
  Type.String({ ...patternOf('^\\d{4}-(0[1-9]|1[0-2])$', 'a month such as 2026-01'), description: 'YYYY-MM' })

const amounts = {
  energy_kwh: Type.Number({ description: 'as measured' }),
  subtotal: Type.Number(),
  adjustments: Type.Number({ description: 'what billing rules added or took off' }),
  tax: Type.Number(),
  total: Type.Number({ description: 'subtotal, adjustments and tax' }),
}

const lineType = Type.Enum([...invoiceLineTypes], {
  description:
    'sessions of the month; late_sessions of earlier months, priced after those were closed; corrections, the differences to ' +
    'what was billed on earlier invoices',
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
    { description: 'As it was when the invoice was made.' },
  )

const invoiceSchema = named('Invoice', {
  invoice_id: Type.String(),
  number: Type.String(),
  month: month(),
  period_from: timestamp('inclusive'),
  period_to: timestamp('exclusive'),
  time_zone: Type.String(),
  currency: Type.String(),
  issued_at: timestamp(),
  count: Type.Integer({ description: 'sessions and corrections' }),
  issuer: partySchema(),
  recipient: partySchema(),
  ...amounts,
  tax: Type.Number({ description: 'the sum of `taxes`' }),
  taxes: Type.Array(
    Type.Object({
      tax_percentage: Type.Number(),
      net: Type.Number({ description: 'the net amounts of all lines with this rate' }),
      tax: Type.Number({ description: 'on their sum, rounded once' }),
    }),
  ),
  rounding: Type.Number({
    description:
      'by how much the taxes of the single sessions, each rounded on its own, differ from `tax`; 0 on older invoices, whose tax is the sum of those',
  }),
  total: Type.Number({ description: 'subtotal, adjustments, tax and rounding: what the sessions cost' }),
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

const inKwh = <Row extends { readonly energy_wh: number }>({ energy_wh, ...row }: Row) => ({
  ...row,
  energy_kwh: energy_wh / 1_000,
})

function partyView(party: Issuer) {
  const { name, country, contact_email } = party
  const { legal_name = null, street = null, postal_code = null, city = null } = party
  const { vat_id = null, registration_number = null } = party
  return { name, country, contact_email, legal_name, street, postal_code, city, vat_id, registration_number }
}

function invoiceView({ organization_id: _, minor_units: __, issuer_id: ___, layout: ____, ...invoice }: Invoice) {
  return {
    ...inKwh(invoice),
    taxes: [...(invoice.taxes ?? sessionTaxes(invoice.lines))],
    rounding: invoice.rounding ?? 0,
    issuer: partyView(invoice.issuer),
    recipient: partyView(invoice.recipient),
    lines: invoice.lines.map(inKwh),
  }
}

/** Throws `not_found`. */
function ownInvoice(view: ReadView, principal: Principal, invoiceId: string): Invoice {
  const invoice = view.get(invoicesTable, [invoiceId])
  if (invoice?.organization_id === principal.organization.organization_id) return invoice
  throw notFound('there is no such invoice')
}

const listInvoices = defineList({
  surface: operator,
  path: '/api/v1/billing/invoices',
  operationId: 'listInvoices',
  summary: 'List monthly invoices, newest first',
  description:
    'An invoice is made an hour after the end of each month in the time zone of the organization, one for each currency; months ' +
    'without sessions have none. What changes in a session afterwards is on the next invoice.',
  tags: ['Billing'],
  scopes: ['read:billing'],
  filters: { month: Type.Optional(month()) },
  row: invoiceSchema,
  perPage: 20,
  maximum: 200,
  read({ principal, query }, services) {
    const { organization_id: organization } = principal.organization
    const list =
      query.month === undefined
        ? { index: 'byOrganization', group: [organization] }
        : { index: 'byMonth', group: [organization, query.month] }
    const { rows, total } = readPage({ view: services.view(), table: invoicesTable, list, query, newestFirst: true })
    return { rows: rows.map(invoiceView), total }
  },
})

const invoiceParams = Type.Object({ invoice_id: Type.String({ maxLength: 64 }) })

const getInvoice = defineRoute({
  method: 'GET',
  path: '/api/v1/billing/invoices/{invoice_id}',
  operationId: 'getInvoice',
  summary: 'Read a monthly invoice',
  tags: ['Billing'],
  surface: operator,
  scopes: ['read:billing'],
  params: invoiceParams,
  responses: { 200: invoiceSchema },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal, params }, services) => ({
    status: 200,
    body: invoiceView(ownInvoice(services.view(), principal, params.invoice_id)),
  }),
})

const invoiceItem = named('InvoiceItem', {
  session_id: Type.String(),
  type: lineType,
  charge_point_id: Type.String(),
  ended_at: timestamp(),
  tariff_id: Type.String(),
  tax_percentage: Type.Number(),
  ...amounts,
})

function itemView({ invoice_id: _, organization_id: __, month: ___, currency: ____, ...item }: InvoiceItem) {
  return inKwh(item)
}

const listInvoiceSessions = defineList({
  surface: operator,
  path: '/api/v1/billing/invoices/{invoice_id}/sessions',
  operationId: 'listInvoiceSessions',
  summary: 'List what an invoice bills, session by session',
  description:
    'Subtotal, adjustments and total of the invoice are the sums of these, and so are its tax and rounding together: each session has its own tax.',
  tags: ['Billing'],
  scopes: ['read:billing'],
  params: invoiceParams,
  row: invoiceItem,
  perPage: 100,
  maximum: 1_000,
  errors: [notFound],
  read({ principal, params, query }, services) {
    const view = services.view()
    const { invoice_id, count } = ownInvoice(view, principal, params.invoice_id)
    const { offset, limit } = query
    const items = view.list(invoiceItemsTable, [invoice_id], { offset, limit })
    return { rows: items.map(itemView), total: count }
  },
})

const getInvoicePdf = defineRoute({
  method: 'GET',
  path: '/api/v1/billing/invoices/{invoice_id}/pdf',
  operationId: 'getInvoicePdf',
  summary: 'Read a monthly invoice as a PDF',
  description: 'The same bytes each time.',
  tags: ['Billing'],
  surface: operator,
  scopes: ['read:billing'],
  params: invoiceParams,
  responses: { 200: 'application/pdf' },
  errors: [notFound],
  sheddable: 'list',
  handle({ principal, params }, services) {
    const invoice = ownInvoice(services.view(), principal, params.invoice_id)
    return printPdf('invoice-pdf', invoice, `invoice-${invoice.number}`, services)
  },
})

export const invoiceRoutes = [listInvoices, getInvoice, listInvoiceSessions, getInvoicePdf]
