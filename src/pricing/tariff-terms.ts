// What pricing needs of a tariff: its price components, its rate bands with the schedule that picks one, and the snapshot of both
// that a session keeps.

export const componentTypes = ['energy', 'time', 'idle', 'flat'] as const
export type ComponentType = (typeof componentTypes)[number]

/** One price. A field that is null or absent stands for the system's default. */
export interface PriceComponent {
  readonly type: ComponentType
  /** Before tax: per kWh, per hour, per hour, per session. Default 0. */
  readonly price: number | null
  /** Wh for energy, seconds for time and idle: the total is rounded up to a multiple of it. Default 1. */
  readonly step_size?: number | null
  /** Idle only: minutes that cost nothing. Default 0. */
  readonly grace_minutes?: number | null
}

/** A tariff as far as prices go. */
export interface TariffTerms {
  readonly tariff_id: string
  readonly name: string
  /** ISO 4217. */
  readonly currency: string
  readonly components: readonly PriceComponent[]
  /** 20 means 20 percent. */
  readonly tax_percentage: number
}

export const daysOfWeek = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type DayOfWeek = (typeof daysOfWeek)[number]

export interface RateBand {
  /** Unique in its tariff. */
  readonly band: string
  readonly components: readonly PriceComponent[]
}

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

/** A component with the system's defaults filled in. */
export interface SnapshotComponent {
  readonly type: ComponentType
  readonly price: number
  readonly step_size: number
  readonly grace_minutes: number
}

export interface TariffSnapshot {
  readonly tariff_id: string
  readonly name: string
  /** ISO 4217. */
  readonly currency: string
  /** Decimals of the currency: kept here, so that an old session is not rounded anew if the standard changes. */
  readonly minor_units: number
  readonly tax_percentage: number
  /** The rate band that the schedule picked; null for the tariff's own components. */
  readonly band: string | null
  readonly components: readonly SnapshotComponent[]
  /** IANA name of the organization's time zone: what hours and days mean to billing rules. */
  readonly time_zone: string
}
