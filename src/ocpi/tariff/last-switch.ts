// The time at which the prices of a schedule may have changed last: partners see it as the last change of the tariff.

import { localTimeOf, minuteOf } from '../../pricing/local-time.js'
import type { ScheduleEntry } from '../../pricing/tariff-terms.js'

const minuteMs = 60_000
const minutesOfDay = 1_440

/** Wall ms, at or before `now`: an entry of the schedule opened or closed; undefined without entries. */
export function lastSwitch(entries: readonly ScheduleEntry[], now: number, timeZone: string): number | undefined {
  const minutes = entries
    .flatMap(({ start_time, end_time }) => [minuteOf(start_time), minuteOf(end_time)])
    .filter(Number.isFinite)
  if (minutes.length === 0) return undefined
  const { day, minuteOfDay } = localTimeOf(now, timeZone)
  const today = Math.max(...minutes.filter((minute) => minute <= minuteOfDay))
  const [lastDay, last] = Number.isFinite(today) ? [day, today] : [day - 1, Math.max(...minutes)]
  const ago = (day - lastDay) * minutesOfDay + minuteOfDay - last
  const guess = now - (now % minuteMs) - ago * minuteMs
  // The clock of the zone may have been put forward or back since.
  const shown = localTimeOf(guess, timeZone)
  const off = (lastDay - shown.day) * minutesOfDay + last - shown.minuteOfDay
  return Math.min(now, guess + off * minuteMs)
}
