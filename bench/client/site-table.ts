// What happens at simulated sites, as lines that a person can follow: what each car really draws, the limit that its charge point holds, and
// why the service has given it.

import { nominalVolts } from '../charge-point/vehicle.js'
import type { AllocatedCar, Allocation } from './sites.js'

export interface CarRow {
  readonly chargePointId: string
  readonly connectorId: number
  /** On how many it charges. */
  readonly phases: number
  readonly drawnWatts: number
  /** Infinite where its charge point holds none. */
  readonly limitWatts: number
  /** From 0 to 1; undefined where nobody knows the battery. */
  readonly stateOfCharge: number | undefined
}

export interface SiteFigures {
  readonly name: string
  readonly budgetKw: number
  readonly drawnWatts: number
  readonly peakWatts: number
  readonly cars: readonly CarRow[]
  /** Whether places are named with their connectors. */
  readonly namesConnectors: boolean
  /** Undefined while the service does not answer. */
  readonly allocation: Allocation | undefined
}

const kw = (watts: number): string => `${(watts / 1000).toFixed(2)} kW`

const heads = ['charge point', 'draws', 'limit', '', 'phases', 'battery', 'why'] as const
/** Numbers stand under each other. */
const toTheRight = [false, true, true, true, false, true, false] as const

/** One after the other, their columns under each other. */
export function siteTables(sites: readonly SiteFigures[]): readonly string[] {
  const tables = sites.map((figures) => ({
    title: titleOf(figures),
    rows: figures.cars.map((car) => cellsOf(car, figures, allocationOf(car, figures.allocation))),
  }))
  const all = [heads, ...tables.flatMap(({ rows }) => rows)]
  if (all.length === 1) return tables.map(({ title }) => title)
  const widths = heads.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const lineOf = (row: readonly string[]): string => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0
      return toTheRight[column] === true ? cell.padStart(width) : cell.padEnd(width)
    })
    return `  ${cells.join('  ').trimEnd()}`
  }
  return [lineOf(heads), ...tables.flatMap(({ title, rows }) => [title, ...rows.map(lineOf)])]
}

function titleOf({ name, budgetKw, drawnWatts, peakWatts, cars, allocation }: SiteFigures): string {
  const count = cars.length === 1 ? '1 car draws' : `${cars.length} cars draw`
  const aside = allocation?.reserved_kw ?? 0
  return [
    `${name}: ${count} ${kw(drawnWatts)} of ${allocation?.total_budget_kw ?? budgetKw} kW`,
    `at most ${kw(peakWatts)} so far`,
    ...(allocation === undefined ? ['the service does not answer'] : []),
    ...(aside > 0 ? [`${kw(aside * 1000)} set aside for the next cars`] : []),
  ].join('; ')
}

function allocationOf({ chargePointId, connectorId }: CarRow, allocation: Allocation | undefined) {
  return allocation?.chargers.find(
    ({ charge_point_id, connector_id }) => charge_point_id === chargePointId && connector_id === connectorId,
  )
}

function cellsOf(
  car: CarRow,
  { namesConnectors }: SiteFigures,
  allocated: AllocatedCar | undefined,
): readonly string[] {
  const { chargePointId, connectorId, phases, drawnWatts, limitWatts, stateOfCharge } = car
  const isLimited = limitWatts < Number.POSITIVE_INFINITY
  const counted = allocated === undefined || allocated.phases === phases ? '' : `, taken for ${allocated.phases}`
  return [
    namesConnectors ? `${chargePointId}/${connectorId}` : chargePointId,
    kw(drawnWatts),
    isLimited ? kw(limitWatts) : 'none',
    isLimited ? `${(limitWatts / nominalVolts / phases).toFixed(1)} A` : '',
    `${phases}${counted}`,
    stateOfCharge === undefined ? '' : `${Math.floor(stateOfCharge * 100)} %`,
    allocated === undefined ? '' : whyOf(allocated),
  ]
}

function whyOf({ state, allocated_kw, explanation }: AllocatedCar): string {
  return state === 'pending' ? `Is being given ${allocated_kw.toFixed(2)} kW. ${explanation}` : explanation
}
