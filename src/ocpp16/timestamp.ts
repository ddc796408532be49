// OCPP's dateTime (ISO 8601) in both directions: read from anything that real clocks produce, written in the one form
// that every charger reads. Never reads a clock and never judges whether a time is plausible.

const plus = 0x2b
const minus = 0x2d
const zulu = 0x5a
const shortest = '2026-01-02T03:04:05Z'.length
/** With more digits of fraction than any clock has. */
const longest = 40

/**
 * Whether the text is an RFC 3339 date-time in upper case: what the schemas' `date-time` format takes.
 * Run for every timestamp of every message, so it looks at characters and allocates nothing.
 */
export function isTimestamp(text: string): boolean {
  const length = text.length
  if (length < shortest || length > longest) return false
  if (text.charCodeAt(4) !== minus || text.charCodeAt(7) !== minus || text.charCodeAt(10) !== 0x54) return false
  if (text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a) return false
  const year = digits(text, 0, 4)
  // The first and the last year are left to the lenient reader: with an offset they may not be writable.
  if (year < 1 || year > 9998 || !isDate(year, digits(text, 5, 7), digits(text, 8, 10))) return false
  if (!isClockTime(digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19))) return false
  let index = 19
  if (text.charCodeAt(index) === 0x2e) {
    index++
    const first = index
    while (isDigit(text.charCodeAt(index))) index++
    if (index === first) return false
  }
  const sign = text.charCodeAt(index)
  if (sign === zulu) return index + 1 === length
  if (sign !== plus && sign !== minus) return false
  const hours = digits(text, index + 1, index + 3)
  const minutes = digits(text, index + 4, index + 6)
  return (
    index + 6 === length &&
    text.charCodeAt(index + 3) === 0x3a &&
    hours >= 0 &&
    hours <= 23 &&
    minutes >= 0 &&
    minutes <= 59
  )
}

/** The years that can be written with four digits. */
const earliestMs = Date.parse('0000-01-01T00:00:00Z')
const latestMs = Date.parse('9999-12-31T23:59:59.999Z')

const lenient =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,30}))?)?)?(?:(Z)|([+-])(\d{1,2})(?::?(\d{2}))?)?$/i

/**
 * Milliseconds since the Unix epoch, or undefined if the text is no time. Beside ISO 8601 it takes no zone (read as
 * UTC), `+02`, `+0200`, `2026-1-2`, a blank for the T, a comma before the fraction, and a date or minutes alone.
 */
export function readTimestamp(text: string): number | undefined {
  const ms = isTimestamp(text) ? Date.parse(text) : Number.NaN
  const read = Number.isNaN(ms) ? readLeniently(text) : ms
  return read !== undefined && read >= earliestMs && read <= latestMs ? read : undefined
}

function readLeniently(text: string): number | undefined {
  const match = lenient.exec(text.length > 80 ? '' : text.trim())
  if (match === null) return undefined
  const [, year, month, day, hours = '0', minutes = '0', seconds = '0', fraction = '', , sign] = match
  if (!isDate(Number(year), Number(month), Number(day))) return undefined
  if (!isClockTime(Number(hours), Number(minutes), Number(seconds))) return undefined
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const date = new Date(0)
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hours), Number(minutes), Number(seconds), milliseconds)
  if (sign === undefined) return date.getTime()
  const offsetHours = Number(match[10])
  const offsetMinutes = Number(match[11] ?? '0')
  if (offsetHours > 23 || offsetMinutes > 59) return undefined
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000
  return date.getTime() + (sign === '-' ? offsetMs : -offsetMs)
}

// Most times that are written are now: all answers of one second share a text.
let lastSecond = Number.NaN
let lastText = ''

/** UTC with seconds, `2026-01-02T03:04:05Z`: some chargers choke on a fraction. `ms` lies in the years 0 to 9999. */
export function writeTimestamp(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== lastSecond) {
    lastText = `${new Date(ms).toISOString().slice(0, 19)}Z`
    lastSecond = second
  }
  return lastText
}

function isDate(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Second 60 is a leap second, which counts as the next minute's first. */
function isClockTime(hours: number, minutes: number, seconds: number): boolean {
  return hours >= 0 && hours <= 23 && minutes >= 0 && minutes <= 59 && seconds >= 0 && seconds <= 60
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The number that the digits from `start` to `end` make; negative if one of them is none. */
function digits(text: string, start: number, end: number): number {
  let number = 0
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if (!isDigit(code)) return -1
    number = number * 10 + code - 0x30
  }
  return number
}
