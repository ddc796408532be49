// Invoices on paper: the same record is the same file, and its sums are those of the record.

import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'tap'
import { invoicePdf } from '../../src/paper/invoice-pdf.js'
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
