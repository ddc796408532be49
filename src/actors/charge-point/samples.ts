// Meter values as rows: numbers where they are numbers, defaults left out, and the two figures that are asked for most.
// Reads OCPP 1.6's MeterValue (7.33) with the units that chargers really send.

import { limits } from '../../runtime/limits.js'
import type { ReadView } from '../../runtime/store.js'
import { type MeterValues, meterValuesTable, type Sample } from '../records/meter-values.js'
import { judgeTime } from './clock-skew.js'
import type { MeterValue } from './ocpp/index.js'

type SampledValue = MeterValue['sampledValue'][number]

const defaultMeasurand = 'Energy.Active.Import.Register'
const defaultContext = 'Sample.Periodic'

/**
 * The rows of one message. What is of one instant is one row, together with what is stored of it already: some chargers
 * send an element, or even a message, per measurand.
 */
export function readRows(
  owner: string,
  meterValues: readonly MeterValue[],
  receivedAt: number,
  place: (row: MeterValues) => Placed,
): readonly MeterValues[] {
  const rows = new Map<string, MeterValues>()
  for (const meterValue of meterValues) {
    const { row, stored } = place(readRow(owner, meterValue, receivedAt))
    const instant = `${row.at} ${row.context}`
    const before = rows.get(instant) ?? stored
    rows.set(instant, before === undefined ? row : merge(before, row))
  }
  return [...rows.values()]
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
export function placeRows(newest: Map<string, number>, view: ReadView): (row: MeterValues) => Placed {
  return (row) => {
    if (newest.size >= limits.sampledOwners) newest.clear()
    const newestRow = (): MeterValues | undefined =>
      view.list(meterValuesTable, [row.owner], { reverse: true, limit: 1 })[0]
    const known = newest.get(row.owner) ?? newestRow()?.at ?? Number.NEGATIVE_INFINITY
    newest.set(row.owner, Math.max(known, row.at))
    if (row.at > known) return { row, stored: undefined }
    const stored = view.get(meterValuesTable, meterValuesTable.key(row))
    if (stored !== undefined || !showsMore(row, newestRow())) return { row, stored }
    newest.set(row.owner, known + 1)
    return { row: { ...row, at: known + 1, reported_at: row.at }, stored: undefined }
  }
}

function showsMore(row: MeterValues, than: MeterValues | undefined): boolean {
  return row.energy_wh !== undefined && than?.energy_wh !== undefined && row.energy_wh > than.energy_wh
}

/** A later value of the same quantity replaces the earlier one, so that a clock that stands still does not fill a row. */
function merge(before: MeterValues, after: MeterValues): MeterValues {
  const samples = new Map<string, Sample>()
  for (const sample of [...before.samples, ...after.samples]) samples.set(JSON.stringify(sample.slice(1)), sample)
  return { ...before, ...after, samples: [...samples.values()] }
}

function readRow(owner: string, meterValue: MeterValue, receivedAt: number): MeterValues {
  const values = meterValue.sampledValue
  const energyWh = overall(values, defaultMeasurand, 'kWh')
  const powerWatts = overall(values, 'Power.Active.Import', 'kW')
  return {
    owner,
    at: judgeTime(meterValue.timestamp, receivedAt).at,
    context: values[0]?.context ?? defaultContext,
    samples: values.map(compact),
    ...(energyWh !== undefined && { energy_wh: Math.round(energyWh) }),
    ...(powerWatts !== undefined && { power_watts: Math.round(powerWatts) }),
  }
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

/** The overall value of a measurand, or the sum of its phases, in the base unit. */
function overall(values: readonly SampledValue[], measurand: string, kiloUnit: string): number | undefined {
  let whole: number | undefined
  let phases: number | undefined
  for (const sampled of values) {
    if ((sampled.measurand ?? defaultMeasurand) !== measurand || sampled.format === 'SignedData') continue
    const number = numberOf(sampled.value)
    if (number === undefined) continue
    const base = sampled.unit === kiloUnit ? number * 1000 : number
    if (sampled.phase === undefined) whole = base
    else if (/^L[123](-N)?$/.test(sampled.phase)) phases = (phases ?? 0) + base
  }
  return whole ?? phases
}

function numberOf(value: string): number | undefined {
  if (value === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
