// Receipts and invoices of a store of schema version 1: printed again, they are what they were.

import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { test } from 'tap'
import { invoicePdf } from '../../src/jobs/documents/invoice-pdf.js'
import { receiptPdf } from '../../src/jobs/documents/receipt-pdf.js'
import { type Invoice, invoicesTable } from '../../src/records/invoice.js'
import { type Receipt, receiptsTable } from '../../src/records/receipt.js'
import { invoice, receipt, receiptDocument } from '../jobs/documents/examples.js'
import { openStored, unpackBackup } from './stored.js'

/** Of what version 1 printed: SHA-256 of all streams, inflated, because versions of Node.js do not deflate alike. */
const printed = {
  'R-000003': 'b23e5ed270968dc2c7869ac17e59b8cfbfbcd94d425dccbd9d6b8b78c4ecdf9a',
  'R-000002': '2c71a4b95ac227721c2ee00488066aa7c571657313f476615fdda2d3a11430c3',
  'R-000001': '4985fa2b0086e5219597893b49f0eb03ac1d6fdffca167142e906f6fc4f63731',
  'R-000123': '5baf7a2210d0150b8b249855ead72067713be8bc12ebb515beeab9aad2d46494',
  'INV-000001 for the operator': '7489f915ed85715eb5fb0541fd9d1aeb6abef98b5e4597116f1b5e52c09db4fe',
  'INV-000001': '16e7a68ff4ae6c0c916114f13cdb7f775d21be4421447447502be3338b7bb54e',
  'INV-000012': '12a1793a184575b799ff51390ac45be36894e83be2b29ce2a916a25b899c028b',
}

function fingerprint(pdf: Buffer): string {
  const hash = createHash('sha256')
  const text = pdf.toString('latin1')
  for (const { index } of text.matchAll(/(?<!end)stream\n/g)) {
    const from = index + 'stream\n'.length
    const bytes = pdf.subarray(from, text.indexOf('\nendstream', from))
    try {
      hash.update(inflateSync(bytes))
    } catch {
      hash.update(bytes)
    }
  }
  return hash.digest('hex')
}

/** The example, as version 1 has stored it. */
function storedReceipt(): Receipt {
  const document = receiptDocument()
  const adjustments = document.cost.adjustments.map((adjustment) => ({
    ...adjustment,
    effect: 'discount percent 10: 17.33 becomes 15.60',
  }))
  return receipt({ ...document, cost: { ...document.cost, adjustments } })
}

test('upgrade - receipts and invoices of version 1 are printed as they were', async (t) => {
  const store = openStored(unpackBackup(t, 1))
  const receipts: Receipt[] = [...store.view().list(receiptsTable, []), storedReceipt()]
  const invoices: Invoice[] = [...store.view().list(invoicesTable, []), invoice()]
  const found: Record<string, string> = {}
  for (const row of receipts) found[row.number] = fingerprint(await receiptPdf(row))
  for (const row of invoices) {
    const isOwn = row.issuer.name === row.recipient.name && row.number === 'INV-000001'
    found[isOwn ? `${row.number} for the operator` : row.number] = fingerprint(await invoicePdf(row))
  }
  t.same(found, printed)
  await store.close()
})
