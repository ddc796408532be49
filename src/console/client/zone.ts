// Between instants and what the clock of the organization shows: days and times that people enter are of its zone, wherever their browser is.

import { zone } from './format.js'

const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const

/** By how much that clock is ahead of UTC at an instant, ms. */
export function zoneOffsetMs(at: number): number {
  const minute = Math.floor(at / 60_000) * 60_000
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone(), hourCycle: 'h23', ...fields }).formatToParts(
    minute,
  )
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) - minute
}

/** When that clock shows a day's beginning, `2026-11-24`, or a time, `2026-11-24T14:30`, so many days later; undefined for any other text. */
export function instantOf(text: string | undefined, daysLater = 0): number | undefined {
  const [, year, month, day, hour = '0', minute = '0'] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/.exec(text ?? '') ?? []
  const shown = Date.UTC(Number(year), Number(month) - 1, Number(day) + daysLater, Number(hour), Number(minute))
  if (Number.isNaN(shown)) return undefined
  // Twice: the offset may change between the first guess and the instant.
  return shown - zoneOffsetMs(shown - zoneOffsetMs(shown))
}

/** The same, ISO 8601. */
export function instantText(text: string | undefined, daysLater = 0): string | undefined {
  const at = instantOf(text, daysLater)
  return at === undefined ? undefined : new Date(at).toISOString()
}

/** What a field of a time takes, `2026-11-24T14:30`, for an instant. */
export function fieldTextOf(when: number | string): string {
  const at = new Date(when).getTime()
  return new Date(at + zoneOffsetMs(at)).toISOString().slice(0, 16)
}
