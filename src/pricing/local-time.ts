// An instant on the wall clock of a time zone. Only this way round: no local time is ever turned into an instant, so hours that
// daylight saving skips or repeats need no choice. A skipped hour never comes, a repeated one comes twice.

import { IANAZone } from 'luxon'
import { type DayOfWeek, daysOfWeek } from './tariff-terms.js'

const minuteMs = 60_000
const dayMs = 86_400_000
/** What a Date can hold. */
const lastInstant = 8.64e15 - dayMs

export interface LocalTime {
  /** Days since 1970-01-01 on the wall clock. */
  readonly day: number
  readonly minuteOfDay: number
  /** ISO 8601 with the zone's offset. */
  readonly text: string
}

/** An instant that a Date can hold; the nearest one for any other number, 0 for none. */
export function boundedInstant(at: number): number {
  return Number.isFinite(at) ? Math.trunc(Math.max(-lastInstant, Math.min(lastInstant, at))) : 0
}

/** `at` in ms since the epoch; an unknown zone is read as UTC. */
export function localTimeOf(at: number, timeZone: string): LocalTime {
  const instant = boundedInstant(at)
  const offset = IANAZone.create(timeZone).offset(instant)
  const offsetMinutes = Number.isFinite(offset) ? Math.trunc(offset) : 0
  const local = instant + offsetMinutes * minuteMs
  const day = Math.floor(local / dayMs)
  const sign = offsetMinutes < 0 ? '-' : '+'
  const hours = String(Math.floor(Math.abs(offsetMinutes) / 60)).padStart(2, '0')
  const minutes = String(Math.abs(offsetMinutes) % 60).padStart(2, '0')
  return {
    day,
    minuteOfDay: Math.floor((local - day * dayMs) / minuteMs),
    text: `${new Date(local).toISOString().slice(0, -1)}${sign}${hours}:${minutes}`,
  }
}

/** `day` as LocalTime counts it. 1970-01-01 was a Thursday. */
export function dayOfWeekOf(day: number): DayOfWeek {
  return daysOfWeek[(((day + 3) % 7) + 7) % 7] as DayOfWeek
}

/** "YYYY-MM-DD" of a day as LocalTime counts it. */
export function dateOf(day: number): string {
  return new Date(boundedInstant(day * dayMs)).toISOString().slice(0, -14)
}

/** Minutes since midnight of a time `HH:MM`; NaN where it is none. */
export function minuteOf(time: string): number {
  const match = /^(\d{1,2}):(\d{2})$/.exec(time)
  if (match === null) return Number.NaN
  return Number(match[1]) * 60 + Number(match[2])
}
