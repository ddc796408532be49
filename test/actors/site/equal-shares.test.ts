// Shares of cars that charge on fewer phases than their charge points have: equal in watts, as far as each can take them.

import { test } from 'tap'
import { type ChargerOptions, type SiteWorld, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }

async function settle(world: SiteWorld): Promise<void> {
  for (let round = 0; round < 12; round++) {
    await world.answerAll()
    await world.pass(6)
  }
}

/** `phases` of the cars, one at each charge point, once their meters have shown them. */
async function charging(
  phases: readonly (1 | 3)[],
  configuration: Parameters<typeof siteWorld>[1],
): Promise<SiteWorld> {
  const world = await siteWorld(
    phases.map(() => one),
    { ...configuration, max_power_kw: 60 },
  )
  for (const charger of world.chargers) await world.report(charger)
  await settle(world)
  for (const [index, charger] of world.chargers.entries()) await world.plug(charger, phases[index] ?? 3)
  await settle(world)
  for (const charger of world.chargers) await world.report(charger, true)
  await world.configure(configuration)
  await settle(world)
  return world
}

test('site - equal shares are equal for cars on one phase, also at charge points that had a standing limit', async (t) => {
  const world = await charging([1, 1, 1, 1], { max_power_kw: 12, strategy: 'equal' })
  const { chargers, counted_kw } = await world.allocation()
  t.same(
    chargers.map(({ allocated_kw, reason }) => [allocated_kw, reason]),
    chargers.map(() => [2.99, 'share']),
    '13 A on one phase',
  )
  t.equal(chargers[0]?.explanation, '2.99 kW is its equal share: 12 kW are shared by 4 cars.')
  t.ok(counted_kw <= 12)
  t.ok(world.couldDraw() <= 12_000, `${world.couldDraw()} W`)
  t.equal(Math.round(world.drawn()), 4 * 2_990)
})

test('site - a car on one phase needs the minimum of one phase', async (t) => {
  const world = await charging([1, 3, 3], { max_power_kw: 9.7, strategy: 'equal' })
  const { chargers } = await world.allocation()
  t.same(
    chargers.map(({ allocated_kw, reason }) => [allocated_kw, reason]),
    [
      [1.403, 'share'],
      [4.14, 'minimum'],
      [4.14, 'minimum'],
    ],
  )
  t.equal(
    chargers[0]?.explanation,
    '1.4 kW is its equal share: 9.7 kW are shared by 3 cars, 2 of which need more at least.',
  )
  t.equal(
    chargers[1]?.explanation,
    'It gets its minimum of 4.14 kW, which is more than an equal share: 9.7 kW are shared by 3 cars.',
  )
  t.ok(world.couldDraw() <= 9_700)
})

test('site - in the order of priority, a car on one phase has the minimum of one phase before the first has the rest', async (t) => {
  const world = await charging([1, 3], { max_power_kw: 15, strategy: 'priority', priority_order: ['CP-2', 'CP-1'] })
  const { chargers } = await world.allocation()
  t.match(chargers[0], { allocated_kw: 1.403, reason: 'priority' })
  t.equal(
    chargers[0]?.explanation,
    'It gets its minimum of 1.4 kW, as every car does before the order of priority counts. It is number 2 in the order of priority; 15 kW are shared by 2 cars.',
  )
  t.match(chargers[1], { allocated_kw: 13.593, reason: 'priority' })
  t.ok(world.couldDraw() <= 15_000)
})

test('site - a car whose minimum the site cannot give keeps nobody else waiting', async (t) => {
  const world = await charging([3, 1, 1], { max_power_kw: 4, strategy: 'equal' })
  for (let minute = 0; minute < 40; minute++) {
    await world.answerAll()
    await world.pass(60)
  }
  const { chargers } = await world.allocation()
  t.same(
    chargers.map(({ state, reason }) => [state, reason]),
    [
      ['paused', 'paused_minimum'],
      ['applied', 'share'],
      ['applied', 'share'],
    ],
  )
  t.equal(chargers[0]?.explanation, 'It cannot charge: 4 kW are shared by 3 cars, and its minimum alone is 4.14 kW.')
})
