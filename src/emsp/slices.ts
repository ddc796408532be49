// The timeline of a charge detail record, cut wherever another price may begin to hold: at every period, time of day, duration and amount of
// energy that a restriction of its tariff names. Between two cuts energy flows evenly.

import { readDateTime } from '../ocpi/date-time.js'
import type { Cdr } from '../ocpi/schemas/cdr.js'
import type { CdrDimensionType, ChargingPeriod } from '../ocpi/schemas/charging-period.js'
import type { Tariff } from '../ocpi/schemas/tariff.js'
import {
  compare,
  dividedBy,
  type Fraction,
  floorOf,
  fraction,
  fractionOf,
  minus,
  one,
  plus,
  times,
  zero,
} from './fraction.js'
import { type Measured, type Moment, thresholdsOf } from './restrictions.js'
import { nextShown, wallClockAt } from './wall-clock.js'

export type Doing = 'charging' | 'parked' | 'reserved' | 'unsaid'

export interface Slice {
  readonly tariff: Tariff
  readonly doing: Doing
  /** Its start. */
  readonly moment: Moment
  readonly seconds: Fraction
  readonly kwh: Fraction
}

/** What a price is computed from: of a CDR, or of a session with the tariff that it will be charged by. */
export type Priceable = Pick<Cdr, 'start_date_time' | 'end_date_time' | 'charging_periods' | 'tariffs'>

interface Stretch {
  readonly tariff: Tariff
  readonly doing: Doing
  /** ms. */
  readonly from: number
  readonly to: number
  /** When the session began, in ms, and what it had taken until this stretch. */
  readonly startedAt: number
  readonly kwhBefore: Fraction
  readonly kwh: Fraction
  readonly current: Measured | undefined
  readonly kilowatts: Measured | undefined
}

function volumeOf({ dimensions }: ChargingPeriod, ...types: CdrDimensionType[]): Fraction | undefined {
  const found = types.map((type) => dimensions.find((dimension) => dimension.type === type))
  const volume = found.find((dimension) => dimension !== undefined)?.volume
  return volume === undefined ? undefined : fractionOf(volume)
}

function doingIn(period: ChargingPeriod): Doing {
  const has = (type: CdrDimensionType): boolean => period.dimensions.some((dimension) => dimension.type === type)
  if (has('TIME')) return 'charging'
  if (has('PARKING_TIME')) return 'parked'
  return has('RESERVATION_TIME') ? 'reserved' : 'unsaid'
}

function measuredIn(period: ChargingPeriod, what: 'CURRENT' | 'POWER'): Measured | undefined {
  const [lowest, highest] = [
    volumeOf(period, `MIN_${what}`, what, `MAX_${what}`),
    volumeOf(period, `MAX_${what}`, what, `MIN_${what}`),
  ]
  return lowest === undefined || highest === undefined ? undefined : { lowest, highest }
}

/** Throws for what is no time: the CDR has passed its schema. */
function instantOf(text: string): number {
  const at = readDateTime(text)
  if (at === undefined) throw new Error(`not a time: ${text}`)
  return at
}

function tariffOf({ tariffs = [] }: Priceable, { tariff_id }: ChargingPeriod): Tariff | undefined {
  if (tariff_id === undefined) return tariffs.length === 1 ? tariffs[0] : undefined
  return tariffs.find(({ id }) => id.toUpperCase() === tariff_id.toUpperCase())
}

function stretchesOf(priceable: Priceable): Stretch[] {
  const periods = priceable.charging_periods
    .map((period) => ({ period, from: instantOf(period.start_date_time) }))
    .sort((a, b) => a.from - b.from)
  const end = instantOf(priceable.end_date_time)
  const started = periods.find(({ period }) => doingIn(period) !== 'reserved')?.from
  let taken = zero
  return periods.flatMap(({ period, from }, index): Stretch[] => {
    const kwh = volumeOf(period, 'ENERGY') ?? zero
    const kwhBefore = taken
    taken = plus(taken, kwh)
    const tariff = tariffOf(priceable, period)
    if (tariff === undefined) return []
    const to = Math.max(from, periods[index + 1]?.from ?? end)
    const doing = doingIn(period)
    const startedAt = doing === 'reserved' ? (periods[0]?.from ?? from) : (started ?? from)
    const current = measuredIn(period, 'CURRENT')
    const kilowatts = measuredIn(period, 'POWER')
    return [{ tariff, doing, from, to, startedAt, kwhBefore, kwh, current, kilowatts }]
  })
}

const ms = (value: number): Fraction => fraction(BigInt(value))

/** Parts of the stretch, from 0 to 1, at which it is cut. */
function cutsOf({ tariff, from, to, startedAt, kwhBefore, kwh }: Stretch, timeZone: string): Fraction[] {
  const thresholds = thresholdsOf(tariff)
  const instants = thresholds.seconds.map((seconds) => startedAt + seconds * 1_000)
  if (thresholds.minutes.length > 0)
    for (
      let at = nextShown(from, thresholds.minutes, timeZone);
      at < to;
      at = nextShown(at, thresholds.minutes, timeZone)
    )
      instants.push(at)
  const within = instants.filter((at) => at > from && at < to)
  const cuts = [
    ...within.map((at) => dividedBy(ms(at - from), ms(to - from))),
    ...(compare(kwh, zero) > 0
      ? thresholds.kwh.map((threshold) => dividedBy(minus(fractionOf(threshold), kwhBefore), kwh))
      : []),
  ]
  return cuts
    .filter((cut) => compare(cut, zero) > 0 && compare(cut, one) < 0)
    .sort(compare)
    .filter((cut, index, all) => compare(cut, all[index - 1] ?? zero) > 0)
}

function slicesIn(stretch: Stretch, timeZone: string): Slice[] {
  const { tariff, doing, from, to, startedAt, kwhBefore, kwh, current, kilowatts } = stretch
  const starts = [zero, ...cutsOf(stretch, timeZone)]
  return starts.map((start, index) => {
    const part = minus(starts[index + 1] ?? one, start)
    const at = plus(ms(from), times(start, ms(to - from)))
    const moment: Moment = {
      clock: wallClockAt(Number(floorOf(at)), timeZone),
      seconds: dividedBy(minus(at, ms(startedAt)), ms(1_000)),
      kwh: plus(kwhBefore, times(start, kwh)),
      current,
      kilowatts,
    }
    return { tariff, doing, moment, seconds: times(part, dividedBy(ms(to - from), ms(1_000))), kwh: times(part, kwh) }
  })
}

/** In order of time. Periods without a tariff are in no slice: they are free. */
export function slicesOf(priceable: Priceable, timeZone: string): Slice[] {
  return stretchesOf(priceable).flatMap((stretch) => slicesIn(stretch, timeZone))
}
