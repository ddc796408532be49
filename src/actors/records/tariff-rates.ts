// The rate bands of a tariff and the schedule that picks one of them. Each is replaced whole, apart from its tariff,
// so that a change to a schedule never competes with a change to a price.

import { defineTable } from '../../runtime/table.js'
import type { PriceComponent } from './tariff.js'

export const daysOfWeek = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type DayOfWeek = (typeof daysOfWeek)[number]

export interface RateBand {
  /** Unique in its tariff. */
  readonly band: string
  readonly components: readonly PriceComponent[]
}

export interface TariffRates {
  readonly tariff_id: string
  readonly organization_id: string
  readonly version: number
  readonly bands: readonly RateBand[]
  readonly updated_at: string
}

export const tariffRatesTable = defineTable<TariffRates>({
  name: 'tariff_rates',
  key: (row) => [row.tariff_id],
})

/** A weekly window on the wall clock of the organization. The day and the dates are those on which the window opens. */
export interface ScheduleEntry {
  readonly band: string
  /** Every day when absent. */
  readonly days?: readonly DayOfWeek[]
  /** "HH:MM", the first minute of the window. */
  readonly start_time: string
  /** "HH:MM", the first minute after it; before `start_time` it is the next day's, the same as it a whole day. */
  readonly end_time: string
  /** "YYYY-MM-DD", the first day. */
  readonly from_date?: string
  /** "YYYY-MM-DD", the last day. */
  readonly to_date?: string
}

export interface TariffSchedule {
  readonly tariff_id: string
  readonly organization_id: string
  readonly version: number
  readonly entries: readonly ScheduleEntry[]
  readonly updated_at: string
}

export const tariffSchedulesTable = defineTable<TariffSchedule>({
  name: 'tariff_schedules',
  key: (row) => [row.tariff_id],
})
