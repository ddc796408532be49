// How a site shares its power. A site without one is not managed. Written by the API under its version.

import type { Strategy } from '../power/allocate-power.js'
import type { BudgetTerms, ScheduledBudget } from '../power/budget.js'
import type { DayOfWeek } from '../pricing/tariff-terms.js'
import { defineTable } from '../runtime/store/table.js'
import { availableKw, type EnergyAsset } from './energy-asset.js'
import type { Site } from './site.js'

export const strategies = ['equal', 'priority', 'scheduled'] as const

export interface ScheduleEntry {
  /** On which it begins; absent for every day. */
  readonly days?: readonly DayOfWeek[]
  /** HH:MM on the clock of the site; one that does not end later than it starts goes on to the next day. */
  readonly start_time: string
  readonly end_time: string
  readonly max_power_kw: number
}

export interface SiteConfiguration {
  readonly site_id: string
  readonly organization_id: string
  readonly version: number
  readonly max_power_kw: number
  readonly strategy: Strategy
  /** The least with which a car is charged. */
  readonly min_power_kw: number
  /** Of each line of the grid connection; absent where nobody has said it. */
  readonly max_current_per_phase_a?: number
  /** Charge points, the highest priority first. */
  readonly priority_order: readonly string[]
  readonly schedule: readonly ScheduleEntry[]
  readonly updated_at: string
}

export const siteConfigurationsTable = defineTable<SiteConfiguration>({
  name: 'site_configurations',
  key: (row) => [row.site_id],
  indexes: { byOrganization: (row) => [{ group: [row.organization_id] }] },
})

/** `defaultTimeZone`: that of the organization. */
export function budgetTerms(
  { max_power_kw, strategy, schedule }: SiteConfiguration,
  { max_grid_power_kw, time_zone }: Site,
  assets: readonly EnergyAsset[],
  defaultTimeZone: string,
): BudgetTerms {
  return {
    strategy,
    watts: max_power_kw * 1000,
    gridWatts: max_grid_power_kw * 1000,
    assetWatts: assets.reduce((sum, asset) => sum + availableKw(asset) * 1000, 0),
    schedule: schedule.map(scheduledBudget),
    timeZone: time_zone ?? defaultTimeZone,
  }
}

function scheduledBudget({ days, start_time, end_time, max_power_kw }: ScheduleEntry): ScheduledBudget {
  const entry = { startMinute: minuteOf(start_time), endMinute: minuteOf(end_time), watts: max_power_kw * 1000 }
  return days === undefined ? entry : { ...entry, days }
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
