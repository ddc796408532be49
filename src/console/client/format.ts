// How figures and times are written: in English, and times in the zone of the organization.

import { me } from './session.js'

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone of the organization; that of the browser while nobody is signed in. */
export function zone(): string {
  return me.value?.organization.timezone ?? browserZone()
}

type When = string | number | Date

const asDate = (when: When): Date => (when instanceof Date ? when : new Date(when))

const formats = new Map<string, Intl.DateTimeFormat>()

function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const timeZone = zone()
  const key = `${name} ${timeZone}`
  const found = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
  formats.set(key, found)
  return found
}

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const

/** 14:32:07 */
export const timeText = (when: When): string => format('time', clock).format(asDate(when))
/** 14:32 */
export const minuteText = (when: When): string =>
  format('minute', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(asDate(when))
/** 14:32:07.118 */
export const millisecondText = (when: When): string =>
  format('ms', { ...clock, fractionalSecondDigits: 3 }).format(asDate(when))
/** 22 Nov 2026 */
export const dateText = (when: When): string => format('date', day).format(asDate(when))
/** 22 Nov 2026, 14:32:07 */
export const momentText = (when: When): string => format('moment', { ...day, ...clock }).format(asDate(when))

const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** `3 d 4 h`, `41 min`, `7 s`: the two largest units. */
export function durationText(seconds: number): string {
  let rest = Math.max(0, Math.round(seconds))
  const parts: string[] = []
  for (const [size, unit] of steps) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break
  }
  return parts.join(' ') || '0 s'
}

/** `41 min ago`, `in 3 d 4 h`. */
export function agoText(when: When, now: number = Date.now()): string {
  const seconds = (now - asDate(when).getTime()) / 1_000
  return seconds < 0 ? `in ${durationText(-seconds)}` : `${durationText(seconds)} ago`
}

/** `1,234.5`, with at most so many decimals. */
export function numberText(value: number, decimals = 0, always = false): string {
  return value.toLocaleString('en-GB', {
    maximumFractionDigits: decimals,
    minimumFractionDigits: always ? decimals : 0,
  })
}

const prefixes: readonly (readonly [size: number, prefix: string])[] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
]

/** `18.4 kW`, `820 W`, `12.31 kWh`: a figure and its unit. */
export function unitText(value: number, unit: string, decimals = 1): string {
  const [size, prefix] = prefixes.find(([size]) => Math.abs(value) >= size) ?? [1, '']
  return `${numberText(value / size, prefix === '' ? 0 : decimals, prefix !== '')} ${prefix}${unit}`
}

export const powerText = (watts: number): string => unitText(watts, 'W')
export const energyText = (wattHours: number): string => unitText(wattHours, 'Wh', 2)
export const bytesText = (bytes: number): string => unitText(bytes, 'B')
export const percentText = (share: number, decimals = 1): string => `${numberText(share * 100, decimals)} %`

/** `1.7 ms`, `46 ms`, `1.2 s`: how long somebody waited, from milliseconds. */
export const latencyText = (ms: number | undefined): string => {
  if (ms === undefined) return '–'
  return ms >= 1_000 ? `${numberText(ms / 1_000, 1)} s` : `${numberText(ms, ms < 10 ? 1 : 0)} ms`
}

/** `4,406,191.25`: as it was said, with each of its digits. */
export function exactText(value: string | number): string {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(String(value).trim()) ?? []
  return whole === '' ? String(value) : `${sign}${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}${decimals}`
}

/** An amount as the API writes it, in its currency. No figure is rounded: it has the decimals that the API has sent. */
export function moneyText(amount: string | number, currency: string): string {
  return `${exactText(amount)} ${currency}`
}
