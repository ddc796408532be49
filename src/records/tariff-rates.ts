// The rate bands of a tariff and the schedule that picks one of them. Each is replaced whole, apart from its tariff,
// so that a change to a schedule never competes with a change to a price.

import type { RateBand, ScheduleEntry } from '../pricing/tariff-terms.js'
import { defineTable } from '../runtime/store/table.js'

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
