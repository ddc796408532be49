// A monthly invoice as a PDF: sums by tariff and tax rate. Prints what the record says; the same record gives the same bytes.

import { sessionTaxes } from '../../pricing/tax-by-rate.js'
import type { Invoice, InvoiceLine } from '../../records/invoice.js'
import {
  drawDetails,
  drawLetterhead,
  drawNotes,
  finishDocument,
  partyLines,
  partyName,
  typefaceOf,
} from './letterhead.js'
import { type PrintedWords, wordsOf } from './printed-words.js'
import { openSheet } from './sheet.js'
import { drawSums, drawTable, heightOfSums, type Row, type Sum } from './table.js'
import { dateText, moneyText, monthText, numberText } from './words.js'

const typeNames = ({ corrections }: PrintedWords) => ({
  sessions: 'Charging sessions',
  late_sessions: 'Charging sessions of earlier months',
  corrections,
})

const columns = [
  { title: 'Description', share: 37 },
  { title: 'Count', share: 9, align: 'right' },
  { title: 'Energy', share: 17, align: 'right' },
  { title: 'Net', share: 16, align: 'right' },
  { title: 'Tax', share: 9, align: 'right' },
  { title: 'Amount', share: 16, align: 'right' },
] as const

/** Adds to `unshown` what no font has. */
export async function invoicePdf(invoice: Invoice, unshown = new Set<string>()): Promise<Buffer> {
  const { number, currency, minor_units, time_zone: zone, issuer, recipient } = invoice
  const money = (amount: number): string => moneyText(amount, currency, minor_units)
  const words = wordsOf(invoice.layout)
  const on = openSheet({
    typeface: await typefaceOf(invoice, issuer),
    unshown,
    title: `Invoice ${number}`,
    author: partyName(issuer),
    at: Date.parse(invoice.issued_at),
    layout: invoice.layout,
  })
  drawLetterhead(on, {
    kind: 'Invoice',
    number,
    facts: [`Issued ${dateText(invoice.issued_at, zone)}`, monthText(invoice.month)],
    issuer,
  })
  const lastInstant = new Date(Date.parse(invoice.period_to) - 1).toISOString()
  drawDetails(on, [
    { label: 'BILLED TO', lines: [partyName(recipient), ...partyLines(on, recipient)].filter((line) => line !== '') },
    {
      label: 'PERIOD',
      lines: [
        monthText(invoice.month),
        `${dateText(invoice.period_from, zone)} to ${dateText(lastInstant, zone)}`,
        zone === 'UTC' ? words.daysInUtc : words.localDays(zone),
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
        words.percent(numberText(line.tax_percentage, 0)),
        money(line.total),
      ],
      note: typeNames(words)[line.type],
    }),
  )
  const taxes = invoice.taxes ?? sessionTaxes(invoice.lines)
  const rounding = invoice.rounding ?? 0
  const sums: Sum[] = [
    { label: 'Net amount', amount: money(invoice.total - invoice.tax - rounding) },
    ...taxes.map(({ tax_percentage, net: ofRate, tax }) => ({
      label: `Tax ${words.percent(numberText(tax_percentage, 0))} on ${money(ofRate)}`,
      amount: money(tax),
    })),
    ...(rounding === 0 ? [] : [{ label: 'Rounding difference', amount: money(rounding) }]),
    { label: invoice.total < 0 ? 'Total in your favour' : 'Total', amount: money(invoice.total), strong: true },
  ]
  drawTable(on, columns, rows, heightOfSums(sums))
  drawSums(on, sums)
  drawNotes(on, [
    invoice.taxes === undefined
      ? 'Net amounts include discounts and surcharges of billing rules. Tax is the sum of the taxes of the single sessions, ' +
        'each rounded on its own.'
      : 'Net amounts include the discounts and surcharges of billing rules. Tax is calculated for each rate, on the sum of the net ' +
        'amounts. The amounts of the lines include the taxes of the individual sessions, each rounded on its own.',
    ...(invoice.issuer_id === invoice.organization_id && invoice.layout !== undefined
      ? ['The issuer and the recipient are the same: this is a statement of sales, and no payment is due.']
      : []),
  ])
  return finishDocument(on, issuer, `Invoice ${number}`)
}

/** To the currency's minor unit by the text's own rounding: both are exact to it. */
function net({ total, tax }: Pick<InvoiceLine, 'total' | 'tax'>): number {
  return total - tax
}
