// An entry of a schedule as restrictions of OCPI (2.2.1, 11.4.6). Our window belongs to the day on which it opens, even after midnight; that
// of OCPI to the day that it is. One that goes on after midnight is therefore two, unless it opens every day.

import { type DayOfWeek, daysOfWeek, type ScheduleEntry } from '../../pricing/tariff-terms.js'
import { daysOfWeek as ocpiDays, type TariffRestrictions } from '../schemas/tariff.js'

const midnight = '00:00'
const dayMs = 86_400_000
const dateLength = 'YYYY-MM-DD'.length

/** The date so many days later; undefined after the year 9999. */
function later(date: string, days: number): string | undefined {
  const day = new Date(Date.parse(`${date}T00:00:00.000Z`) + days * dayMs).toISOString()
  return day.startsWith('+') ? undefined : day.slice(0, dateLength)
}

function dayOf(day: DayOfWeek, later: number) {
  return ocpiDays[(daysOfWeek.indexOf(day) + later) % daysOfWeek.length] as (typeof ocpiDays)[number]
}

/** The days of the entry, or those after them. */
function daysOf({ days = [], from_date, to_date }: ScheduleEntry, offset: 0 | 1): TariffRestrictions {
  const isEveryDay = days.length === 0 || daysOfWeek.every((day) => days.includes(day))
  const start_date = from_date === undefined ? undefined : later(from_date, offset)
  const end_date = to_date === undefined ? undefined : later(to_date, offset + 1)
  return {
    ...(start_date !== undefined && { start_date }),
    ...(end_date !== undefined && { end_date }),
    ...(!isEveryDay && { day_of_week: days.map((day) => dayOf(day, offset)) }),
  }
}

/** In any of these the entry holds; no restrictions at all where it always does. */
export function windowsOf(entry: ScheduleEntry): TariffRestrictions[] {
  const [start_time, end_time] = [entry.start_time.padStart(5, '0'), entry.end_time.padStart(5, '0')]
  const days = daysOf(entry, 0)
  if (start_time === midnight && end_time === midnight) return [days]
  if (start_time < end_time) return [{ start_time, end_time, ...days }]
  if (Object.keys(days).length === 0) return start_time === end_time ? [{}] : [{ start_time, end_time }]
  const evening = { start_time, end_time: midnight, ...days }
  return end_time === midnight ? [evening] : [evening, { start_time: midnight, end_time, ...daysOf(entry, 1) }]
}
