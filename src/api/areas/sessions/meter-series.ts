// The meter values of a session as series over time: what each row says of power, energy, current, voltage, state of charge, temperature
// and limit, in base units, gathered in buckets of equal length. It knows no store and no request.

import { drawnWatts } from '../../../actors/charge-point/draws.js'
import { mostBetweenOf } from '../../../actors/charge-point/energy.js'
import { readRegister, registerAt } from '../../../actors/charge-point/registers.js'
import { readingOf } from '../../../actors/charge-point/session-register.js'
import type { MeterValues, Sample } from '../../../records/meter-values.js'
import type { Register, Session } from '../../../records/session.js'
import { limits } from './limits.js'

export const quantities = ['power', 'energy', 'current', 'voltage', 'soc', 'temperature', 'limit'] as const
export type Quantity = (typeof quantities)[number]

export const phases = ['L1', 'L2', 'L3', 'N', 'L1-L2', 'L2-L3', 'L3-L1'] as const
export type Phase = (typeof phases)[number]

/** OCPP 1.6, 7.23. */
export const locations = ['Outlet', 'Inlet', 'Cable', 'EV', 'Body'] as const
export type Location = (typeof locations)[number]

export const seriesUnits = ['W', 'Wh', 'A', 'V', '%', 'Celsius'] as const
export type SeriesUnit = (typeof seriesUnits)[number]

export interface Figure {
  readonly quantity: Quantity
  readonly phase: Phase | null
  readonly location: Location
  readonly unit: SeriesUnit
  readonly value: number
}

export interface Series extends Omit<Figure, 'value'> {
  readonly min: readonly (number | null)[]
  readonly avg: readonly (number | null)[]
  readonly max: readonly (number | null)[]
}

const measurands: Readonly<Record<string, { readonly quantity: Quantity; readonly unit: SeriesUnit }>> = {
  'Power.Active.Import': { quantity: 'power', unit: 'W' },
  'Current.Import': { quantity: 'current', unit: 'A' },
  Voltage: { quantity: 'voltage', unit: 'V' },
  SoC: { quantity: 'soc', unit: '%' },
  Temperature: { quantity: 'temperature', unit: 'Celsius' },
  'Power.Offered': { quantity: 'limit', unit: 'W' },
  'Current.Offered': { quantity: 'limit', unit: 'A' },
}

function inBaseUnit(value: number, unit: Sample[number] | undefined): number {
  switch (unit) {
    case 'kW':
      return value * 1_000
    case 'mA':
      return value / 1_000
    case 'K':
      return value - 273.15
    case 'Fahrenheit':
      return ((value - 32) * 5) / 9
    default:
      return value
  }
}

/** A phase to neutral is that phase. Undefined for one that no standard names. */
function phaseOf(phase: Sample[number] | undefined): Phase | null | undefined {
  if (phase === null || phase === undefined) return null
  const name = String(phase).replace(/-N$/, '')
  return phases.find((known) => known === name)
}

function figureOf([value, measurand, unit, phase, , location, format]: Sample): Figure | undefined {
  if (typeof value !== 'number' || (format ?? null) !== null || typeof measurand !== 'string') return undefined
  const known = Object.hasOwn(measurands, measurand) ? measurands[measurand] : undefined
  const place = locations.find((name) => name === (location ?? 'Outlet'))
  const line = phaseOf(phase)
  if (known === undefined || place === undefined || line === undefined) return undefined
  return { ...known, phase: line, location: place, value: inBaseUnit(value, unit) }
}

/** What a row says but for the energy, which the rows before it decide too. The power of the outlet is that which the fleet shows. */
export function figuresOf(row: MeterValues): Figure[] {
  const whole = (figure: Figure): boolean =>
    figure.quantity === 'power' && figure.phase === null && figure.location === 'Outlet'
  const figures = row.samples.flatMap((sample) => figureOf(sample) ?? []).filter((figure) => !whole(figure))
  const watts = drawnWatts(row)
  if (watts === undefined) return figures
  return [...figures, { quantity: 'power', phase: null, location: 'Outlet', unit: 'W', value: watts }]
}

/** What a session has taken, row by row: over roll-overs and resets of its meter, as it is billed. Rows come in the order of their time. */
export function energyReader(
  session: Session,
  maxPowerKw: number | undefined,
): (row: MeterValues) => number | undefined {
  const mostBetween = mostBetweenOf(maxPowerKw, session.flags.includes('clock_suspect'))
  let register: Register = registerAt(session.meter_start)
  return (row) => {
    const wh = readingOf(row, session.register?.inlet)
    if (wh === undefined) return undefined
    register = readRegister(register, { at: row.at, wh }, register.at ?? Date.parse(session.started_at), mostBetween)
    return register.taken
  }
}

interface Gathered extends Omit<Figure, 'value'> {
  readonly buckets: Map<number, { min: number; max: number; sum: number; count: number }>
}

export interface Gathering {
  add(at: number, figure: Figure): void
  /** `at` of each bucket in which something was metered, ms, and the series beside it. */
  end(): { readonly at: readonly number[]; readonly series: readonly Series[] }
}

const order = (series: Omit<Figure, 'value'>): string =>
  [
    quantities.indexOf(series.quantity),
    locations.indexOf(series.location),
    series.unit,
    series.phase === null ? -1 : phases.indexOf(series.phase),
  ]
    .map((part) => String(part).padStart(2, '0'))
    .join()

/** Buckets begin at multiples of `bucketMs` after `from`, ms. */
export function gatherSeries(from: number, bucketMs: number): Gathering {
  const gathered = new Map<string, Gathered>()
  const used = new Set<number>()
  return {
    add(at, { value, ...about }) {
      const name = `${about.quantity} ${about.unit} ${about.phase} ${about.location}`
      let series = gathered.get(name)
      if (series === undefined) {
        if (gathered.size >= limits.meterSeries) return
        series = { ...about, buckets: new Map() }
        gathered.set(name, series)
      }
      const bucket = Math.floor((at - from) / bucketMs)
      used.add(bucket)
      const before = series.buckets.get(bucket)
      if (before === undefined) series.buckets.set(bucket, { min: value, max: value, sum: value, count: 1 })
      else {
        before.min = Math.min(before.min, value)
        before.max = Math.max(before.max, value)
        before.sum += value
        before.count++
      }
    },
    end() {
      const buckets = [...used].sort((a, b) => a - b)
      const all = [...gathered.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1))
      const series = all.map(({ buckets: values, ...about }): Series => {
        const each = (figure: (bucket: { min: number; max: number; sum: number; count: number }) => number) =>
          buckets.map((bucket) => {
            const found = values.get(bucket)
            return found === undefined ? null : Math.round(figure(found) * 1_000) / 1_000
          })
        return {
          ...about,
          min: each(({ min }) => min),
          avg: each(({ sum, count }) => sum / count),
          max: each(({ max }) => max),
        }
      })
      return { at: buckets.map((bucket) => from + bucket * bucketMs), series }
    },
  }
}
