// Amounts, quantities and times in words for print and mail: English, with the currency's own decimals and the wall clock of a time zone.

import { DateTime } from 'luxon'

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(name: string, make: () => Intl.NumberFormat): Intl.NumberFormat {
  let format = formats.get(name)
  if (format === undefined) {
    format = make()
    formats.set(name, format)
  }
  return format
}

/** A minus sign instead of a hyphen. */
function signed(text: string): string {
  return text.replace('-', '\u{2212}')
}

function moneyFormat(currency: string, least: number, most: number): Intl.NumberFormat {
  return formatOf(`${currency}/${least}/${most}`, () => {
    const decimals = { minimumFractionDigits: least, maximumFractionDigits: most }
    // Intl knows no code that has not three letters.
    if (!/^[A-Za-z]{3}$/.test(currency)) return new Intl.NumberFormat('en-GB', decimals)
    return new Intl.NumberFormat('en-GB', { style: 'currency', currency, ...decimals })
  })
}

/** `€1,234.50`, `JP¥1,200`, `KWD 1.250`. */
export function moneyText(amount: number, currency: string, minorUnits: number): string {
  return signed(moneyFormat(currency, minorUnits, minorUnits).format(amount === 0 ? 0 : amount))
}

/** A price may have more decimals than an amount that is paid. */
export function priceText(price: number, currency: string, minorUnits: number): string {
  return signed(moneyFormat(currency, minorUnits, Math.max(6, minorUnits)).format(price))
}

/** Up to six decimals, as many as there are and `least` at least. */
export function numberText(value: number, least: number, most = 6): string {
  const format = formatOf(
    `number/${least}/${most}`,
    () => new Intl.NumberFormat('en-GB', { minimumFractionDigits: least, maximumFractionDigits: most }),
  )
  return signed(format.format(value))
}

function local(iso: string, timeZone: string): DateTime {
  const time = DateTime.fromISO(iso, { zone: timeZone, locale: 'en-GB' })
  return time.isValid ? time : DateTime.fromISO(iso, { zone: 'UTC', locale: 'en-GB' })
}

/** `20 November 2026`. */
export function dateText(iso: string, timeZone: string): string {
  return local(iso, timeZone).toFormat('d LLLL yyyy')
}

/** `2026-10` as `October 2026`. */
export function monthText(month: string): string {
  return local(`${month}-01T00:00:00Z`, 'UTC').toFormat('LLLL yyyy')
}

/** `20 November 2026, 14:03:22 (UTC+01:00)`. */
export function timeText(iso: string, timeZone: string): string {
  const time = local(iso, timeZone)
  return `${time.toFormat('d LLLL yyyy, HH:mm:ss')} (UTC${time.offset === 0 ? '' : time.toFormat('ZZ')})`
}

/** `1 h 42 min`, `3 min 20 s`. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3_600)
  const minutes = Math.floor((whole % 3_600) / 60)
  if (hours > 0) return `${numberText(hours, 0)} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`
}
