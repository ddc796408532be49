// The promise of a site: whatever is slow, lost, offline, restarted or without limits, the cars can never draw more than the budget.

import fc from 'fast-check'
import { test } from 'tap'
import { phaseRotations } from '../../../src/power/electricity.js'
import { type ChargerOptions, type Fate, siteWorld } from './site-world.js'

const manners = ['obeys', 'obeys', 'obeys', 'refuses-tx', 'refuses-amperes', 'refuses-zero', 'refuses-all'] as const

const charger: fc.Arbitrary<ChargerOptions> = fc
  .record({
    rotation: fc.constantFrom(...phaseRotations),
    maxPowerKw: fc.constantFrom(7.36, 11.04, 22.08),
    manner: fc.constantFrom(...manners),
  })
  .map((given) => ({ ...given, phases: given.rotation.length === 1 ? 1 : 3 }))

type Happening =
  | { readonly type: 'plug'; readonly at: number; readonly phases: 1 | 3; readonly isAnswered: boolean }
  | { readonly type: 'unplug' | 'lose' | 'comeBack' | 'meter' | 'boot'; readonly at: number }
  | { readonly type: 'answer'; readonly at: number; readonly fate: Fate }
  | { readonly type: 'answerAll' }
  | { readonly type: 'restart'; readonly areApplied: boolean }
  | { readonly type: 'pass'; readonly seconds: number }

const at = fc.nat(5)
const some = <Type extends string>(type: Type) => fc.record({ type: fc.constant(type), at })
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('plug' as const),
      at,
      phases: fc.constantFrom(1 as const, 3 as const),
      // A charge point with a new car may be faster than those that are to make room for it.
      isAnswered: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: some('unplug') },
  { weight: 3, arbitrary: some('lose') },
  { weight: 5, arbitrary: some('comeBack') },
  { weight: 3, arbitrary: some('meter') },
  { weight: 2, arbitrary: some('boot') },
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constant('answer' as const),
      at,
      fate: fc.constantFrom<Fate>('answered', 'answered', 'answered', 'answer-lost', 'lost', 'failed'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('answerAll' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const), areApplied: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('pass' as const), seconds: fc.constantFrom(1, 10, 130, 2_400) }),
  },
)

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0)

test('site - whatever happens, the cars can never draw more than the budget', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(charger, { minLength: 2, maxLength: 6 }),
      fc.double({ min: 0.2, max: 0.9, noNaN: true }),
      fc.array(happening, { minLength: 10, maxLength: 60 }),
      async (chargers, part, happenings) => {
        const budgetKw = part * chargers.reduce((sum, { maxPowerKw }) => sum + maxPowerKw, 0)
        const world = await siteWorld(chargers, { max_power_kw: budgetKw })
        for (const one of world.chargers) await world.report(one)
        const unlimited = world.chargers.filter(({ manner }) => manner === 'refuses-all')
        const limited = world.chargers.filter((one) => !unlimited.includes(one))
        const left = budgetKw * 1000 - sum(unlimited.map(({ maxPowerKw }) => maxPowerKw * 1000))
        // An ampere pauses a charge point that has refused 0.
        const allowed = Math.max(
          left,
          sum(limited.map(({ manner, phases }) => (manner === 'obeys' ? 0 : 230 * phases))),
        )
        // What each charge point has before the site is managed is not the site's: it begins when all have their standing limit.
        for (let round = 0; round < 10; round++) {
          await world.answerAll()
          await world.pass(10)
        }
        for (const happening of happenings) {
          await happen(world, happening)
          const most = sum(limited.map(world.couldDrawOf))
          if (most > allowed + 1)
            throw new Error(`${most} W of ${allowed} W may be drawn after ${JSON.stringify(happening)}`)
        }
      },
    ),
    { numRuns: 150 },
  )
  t.end()
})

type World = Awaited<ReturnType<typeof siteWorld>>

async function happen(world: World, happening: Happening): Promise<void> {
  if (happening.type === 'pass') return world.pass(happening.seconds)
  if (happening.type === 'restart') return world.restart(happening)
  if (!('at' in happening)) return world[happening.type]()
  const one = world.chargers[happening.at % world.chargers.length]
  if (one === undefined) return
  switch (happening.type) {
    case 'plug':
      await world.plug(one, happening.phases)
      return happening.isAnswered ? world.answer(one) : undefined
    case 'answer':
      return world.answer(one, happening.fate)
    case 'meter':
      return one.isOnline ? world.report(one, true) : undefined
    case 'boot':
      return one.isOnline ? world.boot(one) : undefined
    default:
      return world[happening.type](one)
  }
}
