// Invoices on paper: the same record is the same file, and its sums are those of the record.

import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'tap'
import { invoicePdf } from '../../../src/jobs/documents/invoice-pdf.js'
import { invoice } from './examples.js'

const reader = { skip: spawnSync('pdftotext', ['-v']).error === undefined ? false : 'pdftotext is not installed' }

test('invoice pdf - the same record gives the same bytes', async (t) => {
  const first = await invoicePdf(invoice())
  t.equal(first.subarray(0, 5).toString(), '%PDF-')
  t.ok(first.equals(await invoicePdf(invoice())))
})

test('invoice pdf - it says who bills whom for what', reader, async (t) => {
  const input = await invoicePdf(invoice())
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input, encoding: 'utf8' })
  for (const part of ['INV-000012', 'October 2026', '1 October 2026 to 31 October 2026', 'Bäckerei Groß & Söhne'])
    t.ok(text.includes(part), part)
  t.match(text, /Public AC 22 kW +1,204 +24,310\.5 kWh +€12,158\.40 +19 % +€14,468\.50/)
  t.match(text, /Corrections of earlier invoices/)
  t.match(text, /Total +€16,204\.33/)
})

test(
  'invoice pdf - it names the legal details of both parties, the tax of each rate, and what it differs by',
  reader,
  async (t) => {
    const details = {
      legal_name: 'Müritz Laden AG',
      street: 'Hafen 1',
      postal_code: '17192',
      city: 'Waren',
      vat_id: 'DE123',
    }
    const { issuer, recipient } = invoice()
    const pdf = await invoicePdf(
      invoice({
        layout: 2,
        issuer: { ...issuer, ...details },
        recipient: { ...recipient, country: 'ZZ', registration_number: 'HRB 77' },
        taxes: [{ tax_percentage: 19, net: 13_617.08, tax: 2_587.25 }],
        tax: 2_587.25,
        rounding: -0.04,
        total: 16_204.29,
      }),
    )
    const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' })
    for (const part of ['Müritz Laden AG', issuer.name, 'Hafen 1', '17192 Waren', 'VAT ID DE123', 'HRB 77'])
      t.ok(text.includes(part), part)
    t.notMatch(text, /Unknown Region/)
    t.match(text, /Net amount +€13,617\.08/)
    t.match(text, /Tax 19% on €13,617\.08 +€2,587\.25/)
    t.match(text, /Rounding difference +−€0\.04/)
  },
)
