// Meter values as rows: numbers where they are numbers, defaults left out, and the two figures that are asked for most.
// Reads OCPP 1.6's MeterValue (7.33) with the units that chargers really send.

import type { MeterValue } from '../../ocpp16/index.js'
import { type MeterValues, meterValuesTable, type Sample } from '../../records/meter-values.js'
import { assert } from '../../runtime/assert.js'
import type { ReadView } from '../../runtime/store/store.js'
import { judgeTime } from './clock-skew.js'
import { limits } from './limits.js'

type SampledValue = MeterValue['sampledValue'][number]

const defaultMeasurand = 'Energy.Active.Import.Register'
const powerMeasurand = 'Power.Active.Import'
const defaultContext = 'Sample.Periodic'

/**
 * The rows of one message. What is of one instant is one row, together with what is stored of it already: some chargers
 * send an element, or even a message, per measurand. An element without samples says nothing.
 */
export function readRows(
  owner: string,
  meterValues: readonly MeterValue[],
  receivedAt: number,
  place: (row: MeterValues) => Placed,
): readonly MeterValues[] {
  const rows = new Map<string, MeterValues>()
  for (const instant of instantsOf(meterValues, receivedAt)) {
    const { row, stored } = place(readRow(owner, instant))
    const key = `${row.at} ${row.context}`
    assert(row.owner === owner, 'a meter value stays with its session', row.owner, owner)
    const before = rows.get(key) ?? stored
    rows.set(key, before === undefined ? row : merge(before, row))
  }
  return [...rows.values()]
}

interface Instant {
  readonly at: number
  readonly context: string
  readonly elements: (readonly SampledValue[])[]
}

/** In the order in which they come first: each is placed once, however many elements it has. */
function instantsOf(meterValues: readonly MeterValue[], receivedAt: number): Iterable<Instant> {
  const instants = new Map<string, Instant>()
  for (const { timestamp, sampledValue } of meterValues) {
    const [first] = sampledValue
    if (first === undefined) continue
    const { at } = judgeTime(timestamp, receivedAt)
    const { context = defaultContext } = first
    const key = `${at} ${context}`
    const known = instants.get(key)
    if (known === undefined) instants.set(key, { at, context, elements: [sampledValue] })
    else known.elements.push(sampledValue)
  }
  return instants.values()
}

/** A row where it belongs, and what the store has of its instant. */
export interface Placed {
  readonly row: MeterValues
  readonly stored: MeterValues | undefined
}

/**
 * Values come in the order of their time but for repeats, so the newest instant of each owner is remembered, and what is
 * newer than that is not looked for. What comes before it, is new, and shows more energy was taken after a clock had been
 * set back: it belongs behind the newest, or the session would be shown, and closed, with the energy of before.
 */
export function placeRows(owner: string, newest: Map<string, number>, view: ReadView): (row: MeterValues) => Placed {
  let looked: { readonly row: MeterValues | undefined } | undefined
  const newestRow = (): MeterValues | undefined => {
    looked ??= { row: view.list(meterValuesTable, [owner], { reverse: true, limit: 1 })[0] }
    return looked.row
  }
  return (row) => {
    if (newest.size >= limits.sampledOwners) newest.clear()
    const known = newest.get(owner) ?? newestRow()?.at ?? Number.NEGATIVE_INFINITY
    newest.set(owner, Math.max(known, row.at))
    if (row.at > known) return { row, stored: undefined }
    const stored = view.get(meterValuesTable, meterValuesTable.key(row))
    if (stored !== undefined || !showsMore(row, newestRow())) return { row, stored }
    assert(known + 1 > known, 'a meter value that shows more is behind the newest', known)
    newest.set(owner, known + 1)
    return { row: { ...row, at: known + 1, reported_at: row.at }, stored: undefined }
  }
}

function showsMore(row: MeterValues, than: MeterValues | undefined): boolean {
  return isMore(row.energy_wh, than?.energy_wh) || isMore(row.inlet_wh, than?.inlet_wh)
}

function isMore(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one > other
}

/**
 * A later value of the same quantity replaces the earlier one, so that a clock that stands still does not fill a row. Of more quantities
 * than are stored, those that were there before stay; what they show in all is of all.
 */
function merge(before: MeterValues, after: MeterValues): MeterValues {
  const all = latest([...before.samples, ...after.samples])
  return { ...before, ...after, samples: bounded(all), ...figuresOf(all) }
}

function latest(samples: readonly Sample[]): readonly Sample[] {
  return [...new Map(samples.map((sample) => [quantityOf(sample), sample])).values()]
}

/** All but the value. */
function quantityOf(sample: Sample): string {
  return sample.slice(1).join('|')
}

function bounded(samples: readonly Sample[]): readonly Sample[] {
  return samples.length <= limits.samplesOfInstant ? samples : samples.slice(0, limits.samplesOfInstant)
}

function readRow(owner: string, { at, context, elements }: Instant): MeterValues {
  const all = elements.flat().map(compact)
  const samples = elements.length === 1 ? all : latest(all)
  return { owner, at, context, samples: bounded(samples), ...figuresOf(samples) }
}

/** Whether it tells the register that bills. */
export function isRegister({
  measurand = defaultMeasurand,
  phase,
  location = 'Outlet',
  format = 'Raw',
}: SampledValue): boolean {
  return measurand === defaultMeasurand && phase === undefined && location === 'Outlet' && format === 'Raw'
}

type Figures = Pick<MeterValues, 'energy_wh' | 'inlet_wh' | 'power_watts'>

/** What bills and what is shown: at the outlet, else at the inlet. What the body, the cable or the vehicle meters is neither. */
function figuresOf(samples: readonly Sample[]): Figures {
  const outletWh = credible(overall(samples, defaultMeasurand, 'kWh', null))
  const inletWh = outletWh === undefined ? credible(overall(samples, defaultMeasurand, 'kWh', 'Inlet')) : undefined
  const watts = credible(
    overall(samples, powerMeasurand, 'kW', null) ?? overall(samples, powerMeasurand, 'kW', 'Inlet'),
  )
  return {
    ...(outletWh !== undefined && { energy_wh: outletWh }),
    ...(inletWh !== undefined && { inlet_wh: inletWh }),
    ...(watts !== undefined && { power_watts: watts }),
  }
}

/** In whole units; undefined for what no meter can show, which stays among the samples alone. */
function credible(figure: number | undefined): number | undefined {
  return figure === undefined || !(Math.abs(figure) <= limits.largestReading) ? undefined : Math.round(figure)
}

/** value, measurand, unit, phase, context, location, format: cut after the last that is not the default. */
function compact(sampled: SampledValue): Sample {
  const { value, measurand, unit, phase, context, location, format } = sampled
  const number = numberOf(value)
  const row: (string | number | null)[] = [
    number ?? value,
    measurand === undefined || measurand === defaultMeasurand ? null : measurand,
    unit ?? null,
    phase ?? null,
    context === undefined || context === defaultContext ? null : context,
    location === undefined || location === 'Outlet' ? null : location,
    format === undefined || format === 'Raw' ? null : format,
  ]
  while (row.length > 1 && row.at(-1) === null) row.pop()
  return row
}

/** The overall value of a measurand at a place (null: the outlet), or the sum of its phases, in the base unit. */
function overall(
  samples: readonly Sample[],
  measurand: string,
  kiloUnit: string,
  place: string | null,
): number | undefined {
  let whole: number | undefined
  // A phase may be there by its own name and to neutral: it counts once.
  const phases = new Map<string, number>()
  for (const [value, ofMeasurand, unit, phase, , location, format] of samples) {
    if ((ofMeasurand ?? defaultMeasurand) !== measurand || (location ?? null) !== place) continue
    if (typeof value !== 'number' || (format ?? null) !== null) continue
    const base = unit === kiloUnit ? value * 1000 : value
    if (phase === undefined || phase === null) whole = base
    else if (/^L[123](-N)?$/.test(String(phase))) phases.set(String(phase).slice(0, 2), base)
  }
  if (whole !== undefined || phases.size === 0) return whole
  return [...phases.values()].reduce((sum, phase) => sum + phase, 0)
}

function numberOf(value: string): number | undefined {
  if (value === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
