// A monthly invoice as a PDF: sums by tariff and tax rate. Prints what the record says; the same record gives the same bytes.

import { addAmounts, amountsOf, type CostSums, newSums } from '../actors/pricing/cost-sums.js'
import type { Invoice, InvoiceLine } from '../actors/records/invoice.js'
import type { Issuer } from '../actors/records/receipt.js'
import { countryName, drawDetails, drawLetterhead, drawNotes, finishDocument } from './letterhead.js'
import { openSheet } from './sheet.js'
import { drawSums, drawTable, heightOfSums, type Row, type Sum } from './table.js'
import { dateText, moneyText, monthText, numberText } from './words.js'

const typeNames = {
  sessions: 'Charging sessions',
  late_sessions: 'Charging sessions of earlier months',
  corrections: 'Corrections of earlier invoices',
} as const

const columns = [
  { title: 'Description', share: 37 },
  { title: 'Count', share: 9, align: 'right' },
  { title: 'Energy', share: 17, align: 'right' },
  { title: 'Net', share: 16, align: 'right' },
  { title: 'Tax', share: 9, align: 'right' },
  { title: 'Amount', share: 16, align: 'right' },
] as const

function partyLines({ name, country, contact_email }: Issuer): string[] {
  return [name, countryName(country), contact_email].filter((line) => line !== '')
}

export function invoicePdf(invoice: Invoice): Promise<Buffer> {
  const { number, currency, minor_units, time_zone: zone, issuer, recipient } = invoice
  const money = (amount: number): string => moneyText(amount, currency, minor_units)
  const on = openSheet({ title: `Invoice ${number}`, author: issuer.name, at: Date.parse(invoice.issued_at) })
  drawLetterhead(on, {
    kind: 'Invoice',
    number,
    facts: [`Issued ${dateText(invoice.issued_at, zone)}`, monthText(invoice.month)],
    issuer,
  })
  const lastInstant = new Date(Date.parse(invoice.period_to) - 1).toISOString()
  drawDetails(on, [
    { label: 'BILLED TO', lines: partyLines(recipient) },
    {
      label: 'PERIOD',
      lines: [
        monthText(invoice.month),
        `${dateText(invoice.period_from, zone)} to ${dateText(lastInstant, zone)}`,
        zone === 'UTC' ? 'Days in UTC' : `Days in local time, ${zone}`,
      ],
    },
  ])
  on.y += 8
  const rows = invoice.lines.map(
    (line): Row => ({
      cells: [
        line.tariff_name,
        numberText(line.count, 0),
        `${numberText(line.energy_wh / 1_000, 1, 1)} kWh`,
        money(net(line)),
        `${numberText(line.tax_percentage, 0)} %`,
        money(line.total),
      ],
      note: typeNames[line.type],
    }),
  )
  const sums: Sum[] = [
    { label: 'Net amount', amount: money(net(invoice)) },
    ...taxesOf(invoice).map(({ rate, base, tax }) => ({
      label: `Tax ${rate} % on ${money(base)}`,
      amount: money(tax),
    })),
    { label: invoice.total < 0 ? 'Total in your favour' : 'Total', amount: money(invoice.total), strong: true },
  ]
  drawTable(on, columns, rows, heightOfSums(sums))
  drawSums(on, sums)
  drawNotes(on, [
    'Net amounts include discounts and surcharges of billing rules. Tax is the sum of the taxes of the single sessions, ' +
      'each rounded on its own.',
  ])
  return finishDocument(on, issuer, `Invoice ${number}`)
}

/** What each tax rate was taken of, and what it came to; the lowest first. */
function taxesOf({ lines }: Invoice): { rate: string; base: number; tax: number }[] {
  const byRate = new Map<number, CostSums>()
  for (const line of lines) {
    const sums = byRate.get(line.tax_percentage) ?? newSums()
    byRate.set(line.tax_percentage, sums)
    addAmounts(sums, line)
  }
  return [...byRate]
    .sort(([a], [b]) => a - b)
    .map(([rate, sums]) => {
      const amounts = amountsOf(sums)
      return { rate: numberText(rate, 0), base: net(amounts), tax: amounts.tax }
    })
}

/** To the currency's minor unit by the text's own rounding: both are exact to it. */
function net({ total, tax }: Pick<InvoiceLine, 'total' | 'tax'>): number {
  return total - tax
}
