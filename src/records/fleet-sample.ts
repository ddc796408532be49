// What the fleet of an organization was doing, minute by minute, and in longer steps that are made of these. Written by the sampler alone
// (src/process/fleet-sampler.ts), and never changed afterwards.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** What several steps become as one: a state is a mean, and what happened is added up. */
export const fleetMetrics = {
  power_watts: 'mean',
  online: 'mean',
  charging: 'mean',
  faulted: 'mean',
  sessions: 'mean',
  started: 'sum',
  failed_starts: 'sum',
  energy_wh: 'sum',
} as const satisfies Readonly<Record<string, 'mean' | 'sum'>>

export type FleetMetric = keyof typeof fleetMetrics
export const fleetMetricNames = Object.keys(fleetMetrics) as readonly FleetMetric[]

/** How long a step is, and how long it is kept. */
export const fleetSteps = [
  { seconds: 60, keptMs: 2 * dayMs },
  { seconds: 900, keptMs: 90 * dayMs },
  { seconds: 86_400, keptMs: 5 * 365 * dayMs },
] as const

export type FleetStep = (typeof fleetSteps)[number]

export interface FleetSample {
  readonly organization_id: string
  readonly step_seconds: number
  /** When the step begins, wall ms; steps begin at multiples of their length, UTC. */
  readonly starts_at: number
  /** Wall ms. */
  readonly kept_until: number
  /** In the order of `fleetMetricNames`. */
  readonly values: readonly number[]
}

export const fleetSamplesTable = defineTable<FleetSample>({
  name: 'fleet_samples',
  key: (row) => [row.organization_id, row.step_seconds, row.starts_at],
  indexes: { byEnd: (row) => [{ group: [], order: [row.kept_until] }] },
  uncounted: ['byEnd'],
  retention: { timeOf: (row) => row.kept_until, index: 'byEnd', milliseconds: 0 },
})

export function fleetSample(
  organization_id: string,
  { seconds, keptMs }: FleetStep,
  starts_at: number,
  values: readonly number[],
): FleetSample {
  return { organization_id, step_seconds: seconds, starts_at, kept_until: starts_at + seconds * 1000 + keptMs, values }
}

export function stepStart({ seconds }: Pick<FleetStep, 'seconds'>, at: number): number {
  return Math.floor(at / seconds / 1000) * seconds * 1000
}

/** The longer steps that have ended by `now` and are not stored yet, of the shorter ones that are. */
export function endedSteps(
  view: ReadView,
  organizationId: string,
  [shorter, longer]: readonly [FleetStep, FleetStep],
  now: number,
): readonly FleetSample[] {
  const to = stepStart(longer, now)
  // Those of a clock that was ahead once are not waited for.
  const before = { to: [to], reverse: true, limit: 1 }
  const [last] = view.list(fleetSamplesTable, [organizationId, longer.seconds], before)
  const from = last === undefined ? 0 : last.starts_at + longer.seconds * 1000
  const steps = new Map<number, FleetSample[]>()
  for (const row of view.list(fleetSamplesTable, [organizationId, shorter.seconds], { from: [from], to: [to] })) {
    const start = stepStart(longer, row.starts_at)
    const rows = steps.get(start) ?? []
    rows.push(row)
    steps.set(start, rows)
  }
  return [...steps].map(([start, rows]) => fleetSample(organizationId, longer, start, together(rows)))
}

function together(rows: readonly FleetSample[]): readonly number[] {
  return fleetMetricNames.map((name, at) => {
    const sum = rows.reduce((total, { values }) => total + (values[at] ?? 0), 0)
    return fleetMetrics[name] === 'sum' ? sum : sum / rows.length
  })
}
