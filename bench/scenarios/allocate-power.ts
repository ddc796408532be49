// What it costs by itself to share the power of a large site, computed again and again in this process. The floor is the least that any
// way of sharing does: it adds up what all want, and cuts everybody down by the same part.

import { type AllocationInput, allocatePower, type Charger, type Strategy } from '../../src/power/allocate-power.js'
import { leastWatts, limitStepWatts, linesOf, phaseRotations } from '../../src/power/electricity.js'
import { type Measurement, median, milliseconds, type Scenario } from '../scenario.js'

const strategies: readonly Strategy[] = ['equal', 'priority', 'scheduled']
const now = Date.UTC(2026, 5, 1, 18)
const wattsPerCar = 4_300

/** Cars on one phase and on three, of which a part wants less than its charge point has. */
function chargersOf(cars: number): readonly Charger[] {
  return Array.from({ length: cars }, (_, at) => {
    const phases = at % 4 === 0 ? 1 : 3
    return {
      id: `CP-${(at * 7_919) % cars}-${at}/1`,
      demandWatts: ((at % 5) + 2) * 1_380 * phases,
      floorWatts: at % 10 === 0 ? 1_380 : leastWatts(phases),
      stepWatts: limitStepWatts(phases),
      lines: linesOf(phaseRotations[at % phaseRotations.length] ?? 'RST', phases),
      servedSince: now - (at % 1_800) * 1_000,
    }
  })
}

function inputOf(chargers: readonly Charger[], strategy: Strategy, hasLineLimits: boolean): AllocationInput {
  const watts = chargers.length * wattsPerCar
  const perLine = watts / 3 / 230
  return {
    available: { watts, ...(hasLineLimits && { amperes: { L1: perLine, L2: 0.95 * perLine, L3: 0.9 * perLine } }) },
    strategy,
    priority: chargers.filter((_, at) => at % 2 === 0).map(({ id }) => id),
    chargers,
    now,
  }
}

function cutEvenly({
  available,
  chargers,
}: AllocationInput): readonly { readonly id: string; readonly watts: number }[] {
  let wanted = 0
  for (const { demandWatts } of chargers) wanted += demandWatts
  const part = Math.min(1, available.watts / wanted)
  return chargers.map(({ id, demandWatts, stepWatts }) => {
    return { id, watts: Math.floor((demandWatts * part) / stepWatts) * stepWatts }
  })
}

/** The median: what else runs on the machine takes whole slices of time from a few. */
function medianMs(times: number, compute: () => unknown): number {
  for (let time = 0; time < times / 4; time++) compute()
  const taken = Array.from({ length: times }, () => {
    const before = performance.now()
    compute()
    return performance.now() - before
  })
  return median(taken)
}

const cases = strategies.flatMap((strategy) =>
  [false, true].map((hasLineLimits) => ({
    metric: `${strategy}${hasLineLimits ? ', limit per phase' : ''}`,
    strategy,
    hasLineLimits,
  })),
)

export const allocatePowerScenario: Scenario = {
  name: 'allocate-power',
  title: 'The power of a site shared among its cars, in one thread',
  subjects: ['ampshard'],
  parameters: (quick) => ({ cars: 500, times: quick ? 100 : 2_000 }),
  targets: cases.map(({ metric }) => ({ metric, is: 'at most', value: 1 })),
  async run(_bench, _subject, { cars = 0, times = 0 }) {
    const chargers = chargersOf(cars)
    const even = inputOf(chargers, 'equal', false)
    const floor = medianMs(times, () => cutEvenly(even))
    const measured = cases.map(({ metric, strategy, hasLineLimits }): Measurement => {
      const input = inputOf(chargers, strategy, hasLineLimits)
      return milliseconds(
        metric,
        medianMs(times, () => allocatePower(input)),
      )
    })
    return [milliseconds('floor, all cut by one part', floor), ...measured]
  },
}
