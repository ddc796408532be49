// Which prices a session that starts now would get: the first schedule entry that holds, else the tariff's own components.
// Looked at once, at the start; a session keeps its prices to its end.

import { dateOf, dayOfWeekOf, localTimeOf, minuteOf } from './local-time.js'
import type { PriceComponent, RateBand, ScheduleEntry, TariffTerms } from './tariff-terms.js'

export interface SelectedRates {
  /** null: no entry holds, the tariff's own components. */
  readonly band: string | null
  readonly components: readonly PriceComponent[]
  /** Position in the schedule of the entry that holds. */
  readonly entry: number | null
  /** The start on the wall clock by which the entry was found. */
  readonly localTime: string
}

/** The day on which the entry's window that holds this minute opened; undefined when the window does not hold it. */
function windowDay(entry: ScheduleEntry, day: number, minute: number): number | undefined {
  const start = minuteOf(entry.start_time)
  const end = minuteOf(entry.end_time)
  if (start < end) return minute >= start && minute < end ? day : undefined
  if (minute >= start) return day
  return minute < end ? day - 1 : undefined
}

function holds(entry: ScheduleEntry, day: number, minute: number): boolean {
  const opened = windowDay(entry, day, minute)
  if (opened === undefined) return false
  if (entry.days !== undefined && entry.days.length > 0 && !entry.days.includes(dayOfWeekOf(opened))) return false
  const date = dateOf(opened)
  return (entry.from_date ?? date) <= date && date <= (entry.to_date ?? date)
}

/** `startedAt` in ms. An entry that names a band which is no longer there is passed over. */
export function selectRates(
  tariff: Pick<TariffTerms, 'components'>,
  bands: readonly RateBand[],
  schedule: readonly ScheduleEntry[],
  startedAt: number,
  timeZone: string,
): SelectedRates {
  const { day, minuteOfDay, text } = localTimeOf(startedAt, timeZone)
  for (const [index, entry] of schedule.entries()) {
    if (!holds(entry, day, minuteOfDay)) continue
    const band = bands.find((candidate) => candidate.band === entry.band)
    if (band !== undefined) return { band: band.band, components: band.components, entry: index, localTime: text }
  }
  return { band: null, components: tariff.components, entry: null, localTime: text }
}
