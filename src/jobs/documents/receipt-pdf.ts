// A receipt as a PDF: what one session cost, to be kept by who paid for it. Prints what the record says, and computes nothing but
// durations. The same record gives the same bytes.

import { amountOf, Exact, minorOf } from '../../pricing/money.js'
import type { Receipt } from '../../records/receipt.js'
import { drawDetails, drawLetterhead, drawNotes, finishDocument, partyName, typefaceOf } from './letterhead.js'
import { headingOf, paymentDetails, paymentNotes, paymentSums } from './payment-words.js'
import { type PrintedWords, wordsOf } from './printed-words.js'
import { openSheet } from './sheet.js'
import { drawSums, drawTable, heightOfSums, type Row, type Sum } from './table.js'
import { dateText, durationText, moneyText, numberText, priceText, timeText } from './words.js'

const units = { kWh: 'kWh', h: 'h', session: '' } as const

/** Adds to `unshown` what no font has. */
export async function receiptPdf(receipt: Receipt, unshown = new Set<string>()): Promise<Buffer> {
  const { number, revision, issued_at, revised_at, layout, document } = receipt
  const { seller, place, session, tariff, cost, minor_units } = document
  const zone = session.time_zone
  const words = wordsOf(layout)
  const money = (amount: number): string => moneyText(amount, cost.currency, minor_units)
  const heading = headingOf(document)
  const typeface = await typefaceOf(receipt, seller)
  const on = openSheet({
    typeface,
    unshown,
    title: `${heading} ${number}`,
    author: partyName(seller),
    at: Date.parse(revised_at),
    layout,
  })

  const corrected = revision > 1 ? [`Revised ${dateText(revised_at, zone)}, revision ${revision}`] : []
  const facts = [`Issued ${dateText(issued_at, zone)}`, ...corrected]
  drawLetterhead(on, { kind: heading, number, facts, issuer: seller })

  const seconds = (Date.parse(session.ended_at) - Date.parse(session.started_at)) / 1_000
  const connector = `Connector ${place.connector_id}`
  drawDetails(on, [
    {
      label: 'CHARGED AT',
      lines: [
        place.name ?? place.charge_point_id,
        ...(place.address === undefined ? [] : [place.address]),
        place.name === undefined ? connector : `${place.charge_point_id}, ${connector.toLowerCase()}`,
      ],
    },
    {
      label: 'CHARGING SESSION',
      lines: [
        `${numberText(session.energy_wh / 1_000, 2, 3)} kWh in ${durationText(seconds)}`,
        `From ${timeText(session.started_at, zone)}`,
        `to ${timeText(session.ended_at, zone)}`,
        zone === 'UTC' ? words.timesInUtc : words.localTime(zone),
      ],
    },
  ])
  drawDetails(on, [
    words.idTag(session.id_tag),
    { label: 'TARIFF', lines: [tariff.band === null ? tariff.name : `${tariff.name}, ${tariff.band}`] },
    ...paymentDetails(document, words),
  ])

  const rows = cost.lines.map(({ description, quantity, unit, unit_price, amount }): Row => {
    const per = units[unit] === '' ? '' : ` / ${units[unit]}`
    return {
      cells: [
        description,
        unit === 'session' ? numberText(quantity, 0) : `${numberText(quantity, 2, 3)} ${units[unit]}`,
        `${priceText(unit_price, cost.currency, minor_units)}${per}`,
        money(amount),
      ],
    }
  })
  const adjustments = cost.adjustments.map(
    ({ name, effect, amount }): Row => ({ cells: [name, '', '', money(amount)], note: effect }),
  )
  on.y += 8
  const columns = [
    { title: 'Description', share: 40 },
    { title: 'Quantity', share: 18, align: 'right' },
    { title: 'Unit price', share: 22, align: 'right' },
    { title: 'Amount', share: 20, align: 'right' },
  ] as const
  const none: Row = { cells: [words.freeCharge, '', '', money(0)] }
  const sums = [...sumsOf(document, words), ...paymentSums(document)]
  const shown = [...rows, ...adjustments]
  drawTable(on, columns, shown.length === 0 ? [none] : shown, heightOfSums(sums))
  drawSums(on, sums)
  drawNotes(on, [
    ...paymentNotes(document, words),
    ...notesOf(document, words),
    ...(layout === undefined ? [] : roundingNotes(document)),
  ])
  return finishDocument(on, seller, `${heading} ${number}  ·  Session ${session.session_id}`)
}

function sumsOf({ cost, minor_units }: Receipt['document'], { percent }: PrintedWords): Sum[] {
  const money = (amount: number): string => moneyText(amount, cost.currency, minor_units)
  const adjusted = cost.adjustments.length > 0
  const minor = (amount: number): number => minorOf(amount, minor_units)
  const net = minor(cost.total) - minor(cost.tax)
  const moneyOf = (minorAmount: number): string => money(amountOf(minorAmount, minor_units))
  return [
    { label: 'Subtotal', amount: money(cost.subtotal) },
    ...(adjusted
      ? [
          { label: 'Discounts and surcharges', amount: moneyOf(net - minor(cost.subtotal)) },
          { label: 'Net amount', amount: moneyOf(net) },
        ]
      : []),
    { label: `Tax ${percent(numberText(cost.tax_percentage, 0))}`, amount: money(cost.tax) },
    { label: 'Total', amount: money(cost.total), strong: true },
  ]
}

/** Lines are rounded so that they add up; one that is beside its own product would look like a mistake. */
function roundingNotes({ cost, minor_units }: Receipt['document']): string[] {
  const isBeside = cost.lines.some(
    ({ quantity, unit_price, amount }) =>
      minorOf(new Exact(quantity).times(unit_price), minor_units) !== minorOf(amount, minor_units),
  )
  return isBeside ? ['Amounts are rounded so that they add up to the total.'] : []
}

function notesOf({ session }: Receipt['document'], { notes }: PrintedWords): string[] {
  return [notes.pricesBeforeTax, ...(session.estimated ? [notes.endNotReported] : [])]
}
