// The monthly invoices of the organization: listed, read, printed, and what each of them bills.

import { Type } from 'typebox'
import { invoiceItemsTable } from '../../../records/invoice.js'
import { readPart } from '../../pipeline/paging.js'
import { printPdf } from '../../pipeline/print-pdf.js'
import { readRoutes } from '../../pipeline/record-routes.js'
import { area, invoices } from './area.js'
import { invoiceItemSchema, invoiceSchema, invoiceView, itemView, month } from './invoices.js'

const routes = readRoutes(area, invoices, { path: '/invoices', schema: invoiceSchema, show: invoiceView })

const listInvoices = routes.list({
  operationId: 'listInvoices',
  summary: 'List monthly invoices, newest first',
  description:
    "Invoices are issued an hour after the end of each month in the organization's time zone, one for each currency; a month without " +
    'sessions has none. Later changes to a session appear on the next invoice.',
  filters: { month: Type.Optional(month()) },
  indexes: { month: 'byMonth' },
  newestFirst: true,
  perPage: 20,
})

const getInvoice = routes.get({ operationId: 'getInvoice', summary: 'Get a monthly invoice' })

const listInvoiceSessions = area.list('/invoices/{invoice_id}/sessions', {
  operationId: 'listInvoiceSessions',
  summary: 'List what an invoice bills, session by session',
  description:
    'The subtotal, adjustments and total of the invoice are the sums of these. Each session has its own tax: their sum is the tax of the ' +
    'invoice and its rounding together.',
  of: invoices,
  row: invoiceItemSchema,
  perPage: 100,
  maximum: 1_000,
  async read({ row: { invoice_id, organization_id, count }, query }, services) {
    const begin = services.longReads.of(organization_id)
    const items = await readPart({
      view: services.view(),
      begin,
      table: invoiceItemsTable,
      prefix: [invoice_id],
      query,
    })
    return { rows: items.map(itemView), total: count }
  },
})

const getInvoicePdf = area.route({
  method: 'GET',
  path: '/invoices/{invoice_id}/pdf',
  operationId: 'getInvoicePdf',
  summary: 'Get a monthly invoice as a PDF',
  description: 'Returns the same bytes each time.',
  of: invoices,
  responses: { 200: 'application/pdf' },
  sheddable: 'list',
  handle: ({ row }, services) => printPdf('invoice-pdf', row, `invoice-${row.number}`, services),
})

export const invoiceRoutes = [listInvoices, getInvoice, listInvoiceSessions, getInvoicePdf]
