// Where a value is on a chart, and which values stand at its axes. It draws nothing.

import { dateText, minuteText, timeText } from '../client/format.js'
import { zoneOffsetMs } from '../client/zone.js'

export interface Scale {
  readonly low: number
  readonly high: number
  /** In CSS pixels, of a length in CSS pixels. */
  readonly at: (value: number) => number
}

export function scaleOf(low: number, high: number, begin: number, end: number): Scale {
  const span = high - low || 1
  return { low, high, at: (value) => begin + ((value - low) / span) * (end - begin) }
}

/** From the lowest value, or 0, to a little above the highest. */
export function valueBounds(
  series: readonly { readonly values: readonly (number | null)[] }[],
): readonly [number, number] {
  let [low, high] = [0, 0]
  for (const { values } of series)
    for (const value of values) {
      if (value === null) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  return [low, high === low ? low + 1 : high * 1.08]
}

/** Round values between two, about so many. */
export function roundValues(low: number, high: number, about: number): readonly number[] {
  const rough = (high - low) / Math.max(1, about)
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * magnitude >= rough) ?? 10) * magnitude
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step)
}

const minute = 60
const hour = 3_600
const day = 86_400
const steps = [
  1,
  5,
  15,
  30,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
]
const longSteps = [1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * day)

export interface TimeMark {
  readonly at: number
  readonly text: string
}

/** Full hours, or days, of the organization's clock between two times, at most so many. */
export function timeMarks(from: number, to: number, most: number): readonly TimeMark[] {
  const step = [...steps, ...longSteps].find((one) => (to - from) / one <= most) ?? (longSteps.at(-1) as number)
  const offset = zoneOffsetMs(from * 1_000) / 1_000
  const first = Math.ceil((from + offset) / step) * step - offset
  const marks: TimeMark[] = []
  for (let at = first; at <= to; at += step) marks.push({ at, text: markText(at, step) })
  return marks
}

function markText(at: number, step: number): string {
  if (step >= day) return dateText(at * 1_000).replace(/ \d{4}$/, '')
  return step < minute ? timeText(at * 1_000) : minuteText(at * 1_000)
}

/** The place of the time in an ascending list that is nearest. */
export function nearestTo(times: readonly number[], wanted: number): number {
  let [low, high] = [0, times.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) < wanted) low = middle
    else high = middle
  }
  return wanted - (times[low] ?? 0) <= (times[high] ?? 0) - wanted ? low : high
}
