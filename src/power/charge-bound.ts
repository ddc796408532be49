// What a charge may take at most at a time, by a charging profile that somebody beside the site has set for it. Pure: it only ever lowers what a
// site gives.

import { nominalVolts } from './electricity.js'

export interface BoundPeriod {
  /** Seconds from the start of the bound. */
  readonly start: number
  /** In the unit of the bound. */
  readonly limit: number
}

export interface ChargeBound {
  /** Wall ms. */
  readonly starts_at: number
  /** Seconds; absent where the last period has no end. */
  readonly duration?: number
  /** Watts in all, or amperes per phase. */
  readonly unit: 'W' | 'A'
  /** The least with which it is worth charging, in the unit of the bound. */
  readonly least?: number
  /** In the order of their starts, the first at 0. */
  readonly periods: readonly BoundPeriod[]
}

function endOf({ starts_at, duration }: ChargeBound): number {
  return duration === undefined ? Number.POSITIVE_INFINITY : starts_at + duration * 1_000
}

/** In the unit of the bound; undefined while it does not hold. `at`: wall ms. */
export function boundAt(bound: ChargeBound, at: number): number | undefined {
  if (at >= endOf(bound)) return undefined
  return bound.periods.findLast(({ start }) => bound.starts_at + start * 1_000 <= at)?.limit
}

/** The next time at which it may be another, wall ms; undefined for never. */
export function nextChangeOf(bound: ChargeBound, at: number): number | undefined {
  const times = [...bound.periods.map(({ start }) => bound.starts_at + start * 1_000), endOf(bound)]
  const next = Math.min(...times.filter((time) => time > at))
  return next === Number.POSITIVE_INFINITY ? undefined : next
}

export function wattsOf(limit: number, unit: ChargeBound['unit'], phases: number): number {
  return unit === 'W' ? limit : limit * nominalVolts * phases
}

export function amperesOf(limit: number, unit: ChargeBound['unit'], phases: number): number {
  return unit === 'A' ? limit : limit / nominalVolts / phases
}
