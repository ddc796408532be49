// The words of receipts and invoices, by layout. A document of the first layout keeps its words for ever: printed again, it has the same
// bytes. Words that both layouts have stand where they are printed.

import type { PaperLayout } from '../../records/issuer.js'
import type { Detail } from './letterhead.js'

export interface PrintedWords {
  idTag(idTag: string): Detail
  readonly timesInUtc: string
  localTime(zone: string): string
  readonly daysInUtc: string
  localDays(zone: string): string
  readonly freeCharge: string
  /** `rate` is a number in words. */
  percent(rate: string): string
  /** `on`: the day, in words, where it is known. */
  paidBy(on: string | undefined): string
  readonly corrections: string
  readonly notes: {
    readonly pricesBeforeTax: string
    readonly endNotReported: string
    readonly paymentPending: string
    readonly nothingPaid: string
    readonly partlyPaid: string
  }
}

const first: PrintedWords = {
  idTag: (idTag) => ({ label: 'CHARGED TO', lines: [`Tag ${idTag}`] }),
  timesInUtc: 'All times in UTC',
  localTime: (zone) => `Local time, ${zone}`,
  daysInUtc: 'Days in UTC',
  localDays: (zone) => `Days in local time, ${zone}`,
  freeCharge: 'Charging, free of charge',
  percent: (rate) => `${rate} %`,
  paidBy: (on) => `By the payment method presented${on === undefined ? '' : ` on ${on}`}`,
  corrections: 'Corrections of earlier invoices',
  notes: {
    pricesBeforeTax: 'Unit prices are before tax.',
    endNotReported:
      'The charge point has not reported the end of this session; its end and energy are taken from the last meter value. ' +
      'Should the report still come, a corrected receipt has the same number and the next revision.',
    paymentPending:
      'The payment is being collected. Once it has been made, this document becomes a receipt, in its next revision.',
    nothingPaid: 'This is a statement of charges and not a receipt: nothing has been paid.',
    partlyPaid:
      'This is a receipt for the amount paid alone. The amount that is shown as not paid has not been received.',
  },
}

const second: PrintedWords = {
  idTag: (idTag) => ({ label: 'ID TAG', lines: [idTag] }),
  timesInUtc: 'All times are in UTC',
  localTime: (zone) => `Local time (${zone})`,
  daysInUtc: 'Days are in UTC',
  localDays: (zone) => `Days are in local time (${zone})`,
  freeCharge: 'Charging (free of charge)',
  percent: (rate) => `${rate}%`,
  paidBy: (on) => `${on === undefined ? 'Paid' : `Paid on ${on}`} with the payment method presented`,
  corrections: 'Corrections to earlier invoices',
  notes: {
    pricesBeforeTax: 'Unit prices exclude tax.',
    endNotReported:
      'The charge point has not reported the end of this session, so the end and the energy are those of the last meter value. ' +
      'If the report arrives later, a corrected receipt is issued under the same number, as its next revision.',
    paymentPending:
      'The payment is being collected. Once it has been collected, a receipt is issued under the same number, as the next revision.',
    nothingPaid: 'This is a statement of charges, not a receipt: nothing has been paid.',
    partlyPaid: 'This is a receipt only for the amount paid. The amount shown as not paid has not been received.',
  },
}

export function wordsOf(layout: PaperLayout | undefined): PrintedWords {
  return layout === undefined ? first : second
}
