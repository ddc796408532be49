// Whether the restrictions of a tariff element hold at one moment of a session, and where that may change (OCPI 2.2.1, 11.4.6).

import { daysOfWeek, type Tariff, type TariffRestrictions } from '../ocpi/schemas/tariff.js'
import { compare, type Fraction, fractionOf } from './fraction.js'
import type { WallClock } from './wall-clock.js'

/** What was measured lies between the two. */
export interface Measured {
  readonly lowest: Fraction
  readonly highest: Fraction
}

export interface Moment {
  readonly clock: WallClock
  /** Since the start of the session. */
  readonly seconds: Fraction
  readonly kwh: Fraction
  /** Amperes over all phases; undefined where nothing is known of it. */
  readonly current: Measured | undefined
  readonly kilowatts: Measured | undefined
}

const endOfDay = 24 * 60

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

function isWithinTimes({ start_time, end_time }: TariffRestrictions, minute: number): boolean {
  const start = start_time === undefined ? 0 : minuteOf(start_time)
  const end = end_time === undefined || end_time === '00:00' ? endOfDay : minuteOf(end_time)
  return start < end ? minute >= start && minute < end : minute >= start || minute < end
}

function isWithinDates({ start_date, end_date, day_of_week }: TariffRestrictions, clock: WallClock): boolean {
  if (start_date !== undefined && clock.date < start_date) return false
  if (end_date !== undefined && clock.date >= end_date) return false
  const isAnyDay = day_of_week === undefined || day_of_week.length === 0
  return isAnyDay || day_of_week.some((day) => day === daysOfWeek[clock.weekday])
}

/** Not below the one, and below the other; what nobody measured is within no bounds. */
function isWithin(lower: number | undefined, upper: number | undefined, measured: Measured | undefined): boolean {
  if (lower === undefined && upper === undefined) return true
  if (measured === undefined) return false
  if (lower !== undefined && compare(measured.lowest, fractionOf(lower)) < 0) return false
  return upper === undefined || compare(measured.highest, fractionOf(upper)) < 0
}

const exactly = (value: Fraction): Measured => ({ lowest: value, highest: value })

/** Those of reservations are not looked at. */
export function restrictionsHold(restrictions: TariffRestrictions, moment: Moment): boolean {
  return (
    isWithinTimes(restrictions, moment.clock.minuteOfDay) &&
    isWithinDates(restrictions, moment.clock) &&
    isWithin(restrictions.min_kwh, restrictions.max_kwh, exactly(moment.kwh)) &&
    isWithin(restrictions.min_duration, restrictions.max_duration, exactly(moment.seconds)) &&
    isWithin(restrictions.min_current, restrictions.max_current, moment.current) &&
    isWithin(restrictions.min_power, restrictions.max_power, moment.kilowatts)
  )
}

export interface Thresholds {
  /** Minutes of the day on the wall clock, in order. */
  readonly minutes: readonly number[]
  /** Since the start of the session. */
  readonly seconds: readonly number[]
  readonly kwh: readonly number[]
}

const isGiven = <Value>(value: Value | undefined): value is Value => value !== undefined

/** Where the restrictions of a tariff may begin or cease to hold. */
export function thresholdsOf({ elements }: Tariff): Thresholds {
  const all = elements.map(({ restrictions }) => restrictions).filter(isGiven)
  const times = all.flatMap(({ start_time, end_time }) => [start_time, end_time]).filter(isGiven)
  const days = all.some(({ start_date, end_date, day_of_week }) => isGiven(start_date ?? end_date ?? day_of_week))
  return {
    minutes: [...new Set([...times.map(minuteOf), ...(days || times.length > 0 ? [0] : [])])].sort((a, b) => a - b),
    seconds: all.flatMap(({ min_duration, max_duration }) => [min_duration, max_duration]).filter(isGiven),
    kwh: all.flatMap(({ min_kwh, max_kwh }) => [min_kwh, max_kwh]).filter(isGiven),
  }
}
