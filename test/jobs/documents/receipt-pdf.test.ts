// Receipts on paper: the same record is the same file, and what is printed is what the record says.

import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { test } from 'tap'
import { runsOf } from '../../../src/jobs/documents/fonts.js'
import { receiptPdf } from '../../../src/jobs/documents/receipt-pdf.js'
import { durationText, moneyText, timeText } from '../../../src/jobs/documents/words.js'
import type { ReceiptPayment } from '../../../src/records/receipt.js'
import { component, rule, session, snapshot } from '../../pricing/examples.js'
import { receipt, receiptDocument } from './examples.js'

const run = promisify(execFile)

/** The text of the pages, by a program that shares no code with what made them. */
function textOf(pdf: Buffer): string {
  return execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' })
}

/** From poppler-utils; what needs it is skipped where it is not installed. */
const reader = { skip: spawnSync('pdftotext', ['-v']).error === undefined ? false : 'pdftotext is not installed' }

function pagesOf(pdf: Buffer): number {
  return [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length
}

test('receipt pdf - the same record gives the same bytes, here and in another process', async (t) => {
  const first = await receiptPdf(receipt())
  t.equal(first.subarray(0, 5).toString(), '%PDF-')
  t.ok(first.equals(await receiptPdf(receipt())))
  const module = fileURLToPath(new URL('../../../src/jobs/documents/receipt-pdf.js', import.meta.url))
  const examples = fileURLToPath(new URL('./examples.js', import.meta.url))
  const program = `const [{ receiptPdf }, { receipt }] = await Promise.all([import(${JSON.stringify(module)}), import(${JSON.stringify(examples)})])
    process.stdout.write((await receiptPdf(receipt())).toString('base64'))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
  t.ok(first.equals(Buffer.from(stdout, 'base64')))
})

test('receipt pdf - it says who sold what to whom, when, where and for how much', reader, async (t) => {
  const text = textOf(await receiptPdf(receipt()))
  for (const part of [
    'Stadtwerke Müritz Ladenetz',
    'R-000123',
    'Tag 04A1B2C3D4E5F6',
    'Lange Straße 12, 17192 Waren (Müritz)',
    'CP-0042, connector 2',
    'From 1 June 2026, 11:30:00 (UTC+02:00)',
    'to 1 June 2026, 13:30:00 (UTC+02:00)',
    '31.284 kWh',
    '€0.49 / kWh',
    'Night owl discount',
    '€18.56',
  ])
    t.ok(text.includes(part), part)
  t.match(text, /Energy +31\.284 kWh +€0\.49 \/ kWh +€15\.33/)
  t.match(text, /Tax 19 % +€2\.96/)
})

test('receipt pdf - names of other scripts are shown, and what the typeface lacks is marked', reader, async (t) => {
  const place = { charge_point_id: 'CP-1', connector_id: 1, name: 'Łódź Αθήνα Київ Đà Nẵng', address: '東京\u{e000}' }
  const text = textOf(await receiptPdf(receipt(receiptDocument({}, { place }))))
  t.ok(text.includes('Łódź Αθήνα Київ Đà Nẵng'), text)
  t.match(text, /The mark . stands for a character/)
  t.notMatch(textOf(await receiptPdf(receipt())), /The mark/)
})

test('receipt pdf - letters that a font only claims to have are marked, too', reader, async (t) => {
  for (const address of ['ភ្នំពេញ', 'తెలుగు', 'ລາວ', 'አማርኛ', 'ಕನ್ನಡ', 'བོད']) {
    const place = { charge_point_id: 'CP-1', connector_id: 1, name: '快速充电', address }
    const unshown = new Set<string>()
    const text = textOf(await receiptPdf(receipt(receiptDocument({}, { place }), { layout: 2 }), unshown))
    t.match(text, /The mark . stands for a character/, address)
    t.same([...unshown].sort(), [...new Set(address)].sort(), address)
  }
})

test('receipt pdf - many lines go on over pages, and each page has its number', reader, async (t) => {
  const rules = Array.from({ length: 60 }, (_, index) =>
    rule({ rule_id: `rul_${index}`, name: `Surcharge ${index}`, actions: [{ type: 'surcharge_fixed', value: 1 }] }),
  )
  const tariff = snapshot([component('energy', 0.5)], 19)
  const pdf = await receiptPdf(receipt(receiptDocument({ facts: session(10), tariff, rules })))
  t.ok(pagesOf(pdf) >= 4, `${pagesOf(pdf)} pages`)
  const text = textOf(pdf)
  for (let index = 0; index < 60; index++) t.ok(text.includes(`Surcharge ${index}`))
  t.ok(text.includes(`Page 2 of ${pagesOf(pdf)}`))
})

test(
  'receipt pdf - a guest is told what was paid, how and when; what was not paid is no receipt',
  reader,
  async (t) => {
    const total = receiptDocument().cost.total
    const paid = { is_pending: false, captured: total, captured_at: '2026-06-01T11:31:00.000Z', refunded: 0 }
    const textWith = async (payment: ReceiptPayment): Promise<string> =>
      textOf(
        await receiptPdf(receipt({ ...receiptDocument(), payment: { reference: 'ref_1', ...payment } }, { layout: 2 })),
      )
    const full = await textWith(paid)
    t.match(full, /RECEIPT/)
    t.match(full, /Paid on 1 June 2026 +€18\.56/)
    t.match(full, /Reference ref_1/)
    t.match(full, /ID TAG +PAYMENT|ID TAG +TARIFF +PAYMENT/)
    t.match(full, /Paid on 1 June 2026 with the\s/)
    t.match(full, /Tax 19% +/)
    t.match(full, /Unit prices exclude tax\./)
    t.notMatch(full, /STATEMENT|Not paid/)

    const part = await textWith({ ...paid, captured: 10 })
    t.match(part, /RECEIPT AND STATEMENT OF CHARGES/)
    t.match(part, /Paid on 1 June 2026 +€10\.00\s+Not paid +€8\.56/)

    const nothing = await textWith({ is_pending: false, captured: 0, refunded: 0 })
    t.match(nothing, /STATEMENT OF CHARGES/)
    t.match(nothing, /This is a statement of charges, not a receipt: nothing has been paid\./)
    t.notMatch(nothing, /RECEIPT/)
    t.match(nothing, /Not paid +€18\.56/)
    t.match(await textWith({ is_pending: true, captured: 0, refunded: 0 }), /Payment in progress/)

    const refunded = await textWith({ ...paid, captured: 20, refunded: 1, refunded_at: '2026-06-02T11:00:00.000Z' })
    t.match(refunded, /Refunded on 2 June 2026 +−€1\.00\s+Still to be refunded +€0\.44/)
  },
)

test('receipt pdf - currencies have their own decimals', (t) => {
  t.equal(moneyText(1234.5, 'EUR', 2), '€1,234.50')
  t.equal(moneyText(1200, 'JPY', 0), 'JP¥1,200')
  t.equal(moneyText(1.25, 'KWD', 3).replace(/\s/u, ' '), 'KWD 1.250')
  t.equal(moneyText(-0.5, 'EUR', 2), '\u{2212}€0.50')
  t.equal(moneyText(-0, 'EUR', 2), '€0.00')
  t.end()
})

test('receipt pdf - times are those of the wall clock, on both sides of a change of it', (t) => {
  t.equal(timeText('2026-10-25T00:30:00Z', 'Europe/Berlin'), '25 October 2026, 02:30:00 (UTC+02:00)')
  t.equal(timeText('2026-10-25T01:30:00Z', 'Europe/Berlin'), '25 October 2026, 02:30:00 (UTC+01:00)')
  t.equal(timeText('2026-10-25T01:30:00Z', 'UTC'), '25 October 2026, 01:30:00 (UTC)')
  t.equal(durationText(6_150), '1 h 42 min')
  t.equal(durationText(-5), '0 s')
  t.end()
})

test('receipt pdf - any text can be printed', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
      const place = { charge_point_id: 'CP-1', connector_id: 1, name: text, address: text }
      const pdf = await receiptPdf(receipt(receiptDocument({}, { place })))
      return pdf.length > 1_000
    }),
    { numRuns: 15 },
  )
  t.same(runsOf('a\u{0301}b\u{0007}'), [{ script: 'latin', text: 'áb' }])
})

test('receipt pdf - a session of nothing, in a currency nobody knows, is printed too', async (t) => {
  const tariff = snapshot([], 100, 'XX')
  const pdf = await receiptPdf(receipt(receiptDocument({ facts: session(0, 0), tariff, rules: [] })))
  t.equal(pagesOf(pdf), 1)
})

test('receipt pdf - a line that is beside its product says why', reader, async (t) => {
  // 0.105 and 0.105 are 0.21: one of them is 0.10.
  const tariff = snapshot([component('energy', 0.105), component('flat', 0.105)], 0)
  const document = receiptDocument({ facts: session(1), tariff, rules: [] })
  t.match(textOf(await receiptPdf(receipt(document, { layout: 2 }))), /rounded so that they add up to the total/)
  const even = receiptDocument({ facts: session(1), tariff: snapshot([component('energy', 0.1)], 0), rules: [] })
  t.notMatch(textOf(await receiptPdf(receipt(even, { layout: 2 }))), /rounded so that/)
})

test('receipt pdf - however long names are, no two lines of a page are printed over each other', reader, async (t) => {
  const long = 'Gesellschaft für Ladeinfrastruktur und Energiedienstleistungen '.repeat(4).slice(0, 200)
  const seller = { name: long, legal_name: `${long} AG`, country: 'DE', contact_email: 'a@example.com', city: long }
  const place = { charge_point_id: 'CP-1', connector_id: 1, name: `${long} \u{e000}`, address: long }
  const pdf = await receiptPdf(receipt(receiptDocument({}, { seller, place }), { layout: 2 }))
  const boxes = execFileSync('pdftotext', ['-bbox-layout', '-', '-'], { input: pdf, encoding: 'utf8' })
  const pages = boxes.split('<page ').slice(1).map(linesOfPage)
  t.ok(pages.flat().length > 20)
  for (const lines of pages)
    for (const [index, one] of lines.entries())
      for (const other of lines.slice(index + 1)) {
        const beside = one.right <= other.left || other.right <= one.left
        const apart = one.bottom <= other.top || other.bottom <= one.top
        if (!beside && !apart) t.fail(`${JSON.stringify(one)} and ${JSON.stringify(other)}`)
      }
  t.match(textOf(pdf), /… +· +Receipt R-000123 +· +Session ses_/)
})

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Of what `pdftotext -bbox-layout` says about a page. */
function linesOfPage(page: string): Box[] {
  return [...page.matchAll(/<line xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">/g)].map((line) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = line.slice(1).map(Number)
    // The boxes of a typeface are higher than its letters.
    const spare = (bottom - top) * 0.25
    return { left, top: top + spare, right, bottom: bottom - spare }
  })
}

test('receipt pdf - names of any script are shown, right-to-left ones in their order', reader, async (t) => {
  const seller = {
    name: '東京充電株式会社 ひらがな',
    country: 'JP',
    contact_email: 'a@example.com',
    street: '快速充电 國際',
    city: '한국충전',
    vat_id: 'สถานีชาร์จ',
    registration_number: 'চ க დ Ե 🚗',
  }
  const place = { charge_point_id: 'CP-1', connector_id: 1, name: 'محطة الشحن', address: 'תחנת טעינה 7, תל אביב' }
  const document = receiptDocument({}, { seller, place })
  const pdf = await receiptPdf(receipt(document, { layout: 2 }))
  t.ok(pdf.equals(await receiptPdf(receipt(document, { layout: 2 }))), 'the same bytes')
  // The reader puts marks of direction around what runs from right to left.
  const text = textOf(pdf).replace(/\p{Cf}/gu, '')
  for (const part of [...Object.values(seller).filter((word) => !/^[A-Z]{2}$|@/.test(word)), place.name, 'תחנת טעינה'])
    t.ok(text.includes(part), part)
  t.notMatch(text, /The mark/)
  t.notMatch(text, /\u{fffd}/u)
})
