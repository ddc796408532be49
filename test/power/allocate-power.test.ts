// allocate-power over random sites: what holds whatever the budget, the strategy, the lines and the cars are.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'tap'
import {
  type AllocationInput,
  allocatePower,
  type Charger,
  type Limit,
  turnMs,
} from '../../src/power/allocate-power.js'
import {
  type Line,
  leastWatts,
  limitStepWatts,
  lines,
  linesOf,
  nominalVolts,
  phaseRotations,
} from '../../src/power/electricity.js'

const now = 1_800_000_000_000

const chargers: fc.Arbitrary<readonly Charger[]> = fc.uniqueArray(
  fc
    .record({
      id: fc.integer({ min: 0, max: 999 }).map((number) => `CP-${number}/1`),
      rotation: fc.constantFrom(...phaseRotations),
      onePhase: fc.boolean(),
      demandWatts: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 22_080 })),
      floorWatts: fc.integer({ min: 0, max: 6_000 }),
      since: fc.integer({ min: 0, max: 3 * turnMs }),
      turn: fc.constantFrom('served', 'paused', 'new'),
      pausedWatts: fc.constantFrom(0, 0, 0, 690),
    })
    .map(({ id, rotation, onePhase, demandWatts, floorWatts, since, turn, pausedWatts }): Charger => {
      const drawnFrom = linesOf(rotation, onePhase ? 1 : 3)
      const phases = drawnFrom.length
      return {
        id,
        demandWatts,
        floorWatts: Math.max(floorWatts, leastWatts(phases)),
        stepWatts: limitStepWatts(phases),
        lines: drawnFrom,
        ...(pausedWatts > 0 && { pausedWatts }),
        ...(turn === 'served' && { servedSince: now - since }),
        ...(turn === 'paused' && { pausedSince: now - since }),
      }
    }),
  { selector: ({ id }) => id, maxLength: 24 },
)

const inputs: fc.Arbitrary<AllocationInput> = chargers.chain((all) =>
  fc.record({
    available: fc.record(
      {
        watts: fc.integer({ min: -5_000, max: 200_000 }),
        amperes: fc.record({ L1: amperes(), L2: amperes(), L3: amperes() }),
      },
      { requiredKeys: ['watts'] },
    ),
    strategy: fc.constantFrom('equal' as const, 'priority' as const, 'scheduled' as const),
    priority: fc.shuffledSubarray(all.map(({ id }) => id)),
    chargers: fc.constant(all),
    now: fc.constant(now),
  }),
)

function amperes(): fc.Arbitrary<number> {
  return fc.integer({ min: -10, max: 250 })
}

const byId = (limits: readonly Limit[]): Map<string, Limit> => new Map(limits.map((limit) => [limit.id, limit]))
const wattsOf = (limits: readonly Limit[]): Map<string, number> => new Map(limits.map(({ id, watts }) => [id, watts]))
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const hair = 1e-3

test('allocate-power - the sum is within the budget, and each line within its limit', (t) => {
  fc.assert(
    fc.property(inputs, (input) => {
      const least = new Map(input.chargers.map(({ id, pausedWatts = 0 }) => [id, pausedWatts]))
      const given = new Map(
        [...wattsOf(allocatePower(input))].map(([id, watts]) => [id, Math.max(watts, least.get(id) as number)]),
      )
      if (sum([...given.values()]) > Math.max(sum([...least.values()]), input.available.watts) + hair) return false
      return lines.every((line) => {
        const limit = input.available.amperes?.[line] ?? Number.POSITIVE_INFINITY
        const paused = amperesOn(line, input.chargers, least)
        return amperesOn(line, input.chargers, given) <= Math.max(paused, limit) + hair
      })
    }),
    { numRuns: 3_000 },
  )
  t.end()
})

function amperesOn(line: Line, all: readonly Charger[], given: ReadonlyMap<string, number>): number {
  const onLine = all.filter((charger) => charger.lines.includes(line))
  return sum(onLine.map(({ id, lines }) => (given.get(id) as number) / lines.length / nominalVolts))
}

test('allocate-power - each charger gets nothing, or at least its floor, and never more than it can take', (t) => {
  fc.assert(
    fc.property(inputs, (input) => {
      const given = wattsOf(allocatePower(input))
      return input.chargers.every(({ id, floorWatts, demandWatts, stepWatts }) => {
        const watts = given.get(id) as number
        const isMultiple = Math.abs(watts / stepWatts - Math.round(watts / stepWatts)) < hair
        return (
          isMultiple && watts < demandWatts + stepWatts && (watts === 0 || watts >= Math.min(floorWatts, demandWatts))
        )
      })
    }),
    { numRuns: 3_000 },
  )
  t.end()
})

const tooSmallFor = (limits: readonly Limit[]): readonly string[] =>
  limits.filter(({ reason }) => reason === 'paused_minimum').map(({ id }) => id)

test('allocate-power - more power never gives anybody less, where it is shared evenly and enough for no more minimums', (t) => {
  const evenly = inputs.map((input): AllocationInput => ({ ...input, strategy: 'equal' }))
  fc.assert(
    fc.property(evenly, fc.integer({ min: 0, max: 50_000 }), (input, more) => {
      const before = allocatePower(input)
      const less = wattsOf(before)
      const available = { ...input.available, watts: input.available.watts + more }
      const after = allocatePower({ ...input, available })
      fc.pre(isDeepStrictEqual(tooSmallFor(before), tooSmallFor(after)))
      return after.every(({ id, watts }) => watts >= (less.get(id) as number))
    }),
    { numRuns: 3_000 },
  )
  t.end()
})

test('allocate-power - the order of the chargers does not matter', (t) => {
  const shuffled = inputs.chain((input) =>
    fc.tuple(fc.constant(input), fc.shuffledSubarray([...input.chargers], { minLength: input.chargers.length })),
  )
  fc.assert(
    fc.property(shuffled, ([input, other]) => {
      return isDeepStrictEqual(byId(allocatePower({ ...input, chargers: other })), byId(allocatePower(input)))
    }),
    { numRuns: 500 },
  )
  t.end()
})

test('allocate-power - nobody who could take more has less than another of the same kind, where it is shared evenly', (t) => {
  fc.assert(
    fc.property(chargers, fc.integer({ min: 0, max: 200_000 }), (all, watts) => {
      const limits = allocatePower({ available: { watts }, strategy: 'equal', priority: [], chargers: all, now })
      const given = wattsOf(limits)
      const lacking = limits.filter(({ reason }) => reason === 'share')
      return lacking.every(({ id, watts: own }) =>
        all.every(({ id: other, floorWatts, stepWatts }) => {
          const step = Math.max(stepWatts, all.find((charger) => charger.id === id)?.stepWatts ?? 0)
          return (given.get(other) as number) <= Math.max(own, floorWatts) + 2 * step
        }),
      )
    }),
    { numRuns: 2_000 },
  )
  t.end()
})

const car = (id: string, more: Partial<Charger> = {}): Charger => ({
  id,
  demandWatts: 11_040,
  floorWatts: leastWatts(3),
  stepWatts: limitStepWatts(3),
  lines: [...lines],
  ...more,
})

test('allocate-power - examples', (t) => {
  const base = { priority: [], now, available: { watts: 20_000 } } as const
  const four = ['A', 'B', 'C', 'D'].map((id) => car(id))
  t.same(
    allocatePower({ ...base, strategy: 'equal', chargers: four }),
    four.map(({ id }) => ({ id, watts: 4_968, reason: 'share' })),
    'four share 20 kW: 7.2 A each',
  )
  t.same(
    allocatePower({ ...base, strategy: 'priority', priority: ['C', 'A'], chargers: four }),
    [
      { id: 'A', watts: 4_140, reason: 'priority' },
      { id: 'B', watts: 4_140, reason: 'priority' },
      { id: 'C', watts: 7_521, reason: 'priority' },
      { id: 'D', watts: 4_140, reason: 'priority' },
    ],
    'the floors first, then the order',
  )
  t.same(
    allocatePower({
      ...base,
      available: { watts: 9_000 },
      strategy: 'equal',
      chargers: [
        car('A', { servedSince: now - turnMs }),
        car('B', { servedSince: now - 1_000 }),
        car('C', { pausedSince: now - 5_000 }),
        car('D', { pausedSince: now - 9_000 }),
      ],
    }),
    [
      { id: 'A', watts: 0, reason: 'paused_budget' },
      { id: 'B', watts: 4_140, reason: 'floor' },
      { id: 'C', watts: 0, reason: 'paused_budget' },
      { id: 'D', watts: 4_140, reason: 'floor' },
    ],
    'whoever waits longest is next, after those in the middle of their turn',
  )
  t.same(
    allocatePower({
      ...base,
      available: { watts: 20_000, amperes: { L1: 16, L2: 63, L3: 63 } },
      strategy: 'equal',
      chargers: [
        car('A', { lines: ['L1'], stepWatts: 23, floorWatts: 1_380, demandWatts: 7_360 }),
        car('B', { lines: ['L1'], stepWatts: 23, floorWatts: 1_380, demandWatts: 7_360 }),
        car('C', { lines: ['L2'], stepWatts: 23, floorWatts: 1_380, demandWatts: 7_360 }),
      ],
    }),
    [
      { id: 'A', watts: 1_840, reason: 'line', line: 'L1' },
      { id: 'B', watts: 1_840, reason: 'line', line: 'L1' },
      { id: 'C', watts: 7_360, reason: 'demand' },
    ],
    'two on one line of 16 A have 8 A each; the other line is free',
  )
  t.same(
    allocatePower({
      ...base,
      available: { watts: 4_000 },
      strategy: 'equal',
      chargers: [
        car('A', { pausedSince: now - turnMs }),
        car('B', { stepWatts: 23, floorWatts: 1_380, lines: ['L1'] }),
      ],
    }),
    [
      { id: 'A', watts: 0, reason: 'paused_minimum' },
      { id: 'B', watts: 3_979, reason: 'share' },
    ],
    'nobody waits behind a car whose minimum is more than there is',
  )
  t.same(
    allocatePower({
      ...base,
      available: { watts: 10_000 },
      strategy: 'equal',
      chargers: [car('A'), ...['B', 'C'].map((id) => car(id, { stepWatts: 23, floorWatts: 1_380, lines: ['L1'] }))],
    }),
    [
      { id: 'A', watts: 4_140, reason: 'minimum' },
      { id: 'B', watts: 2_921, reason: 'share' },
      { id: 'C', watts: 2_921, reason: 'share' },
    ],
    'a minimum may be more than an equal share',
  )
  t.end()
})
