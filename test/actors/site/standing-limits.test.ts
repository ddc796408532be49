// Standing limits and everything that cannot be limited, together: the charge points of a site may never come to draw more than its budget.

import { type Test, test } from 'tap'
import { alertsTable } from '../../../src/records/alert.js'
import { type ChargerOptions, type SiteWorld, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }
const refusing: ChargerOptions = { ...one, manner: 'refuses-all' }
type Chargers = SiteWorld['chargers']

async function settle(world: SiteWorld): Promise<void> {
  for (let round = 0; round < 12; round++) {
    await world.answerAll()
    await world.pass(6)
  }
}

async function begun(chargers: readonly ChargerOptions[], budgetKw: number): Promise<SiteWorld> {
  const world = await siteWorld(chargers, { max_power_kw: budgetKw })
  for (const charger of world.chargers) await world.report(charger)
  await settle(world)
  return world
}

async function within(t: Test, world: SiteWorld, budgetKw: number): Promise<void> {
  const { counted_kw, allocated_kw, reserved_kw } = await world.allocation()
  t.ok(world.couldDraw() <= budgetKw * 1000 + 1, `${world.couldDraw()} W may be drawn of ${budgetKw} kW`)
  t.ok(counted_kw <= budgetKw, `${counted_kw} kW are counted`)
  t.ok(allocated_kw + reserved_kw <= budgetKw + 0.001, `${allocated_kw} kW are allocated, ${reserved_kw} kW reserved`)
}

const standingOf = ({ chargers }: SiteWorld): readonly (number | undefined)[] =>
  chargers.map(({ standing }) => standing)

test('site - standing limits fit into what a charge point without limits leaves', async (t) => {
  const world = await begun([one, one, one, refusing], 25)
  t.same(standingOf(world), [0, 0, 0, undefined])
  await within(t, world, 25)
  const [first, second, third, fourth] = world.chargers as Chargers & { length: 4 }
  for (const charger of [fourth, first, second, third] as Chargers) {
    await world.plug(charger, 3)
    await within(t, world, 25)
    await settle(world)
    await within(t, world, 25)
  }
  const { chargers } = await world.allocation()
  t.match(chargers[0], { state: 'paused', reason: 'paused_minimum', allocated_kw: 0 })
  t.equal(
    chargers[0]?.explanation,
    'It cannot charge: 2.92 kW of 25 kW are shared by 3 cars (22.08 kW are set aside for CP-4, which has not confirmed a standing limit), ' +
      'and its minimum alone is 4.14 kW.',
  )
})

test('site - standing limits take half of what a charge point without limits leaves, so that the other cars take turns', async (t) => {
  const world = await begun([one, one, one, refusing], 35)
  t.same(standingOf(world), [6, 0, 0, undefined])
  for (const charger of world.chargers) await world.plug(charger, 3)
  await settle(world)
  await within(t, world, 35)
  const { chargers } = await world.allocation()
  t.same(
    chargers.map(({ state }) => state),
    ['applied', 'applied', 'applied', 'rejected'],
  )
})

test('site - a charge point that has never been connected leaves the rest to the standing limits of the others', async (t) => {
  const world = await siteWorld([one, one, one], { max_power_kw: 30 })
  const [first, second] = world.chargers as Chargers
  for (const charger of [first, second] as Chargers) await world.report(charger)
  await settle(world)
  t.same(standingOf(world), [0, 0, undefined], '7.92 kW are left, and half of that is less than a minimum')
  await within(t, world, 30)
  for (const charger of world.chargers) await world.report(charger)
  await settle(world)
  t.same(standingOf(world), [6, 6, 6])
})

test('site - standing limits make room for a charge point that is offline with a higher limit', async (t) => {
  const world = await begun([one, one, one, one], 40)
  t.same(standingOf(world), [6, 6, 6, 6])
  const [first] = world.chargers as Chargers
  if (first === undefined) throw new Error('there is no charge point')
  await world.plug(first, 3)
  await settle(world)
  await world.lose(first)
  const held = world.drawnOf(first) / 1000
  t.ok(held > 20)
  await world.configure({ max_power_kw: 30 })
  await settle(world)
  t.same(standingOf(world), [6, 6, 0, 0])
  await within(t, world, 30)
  await world.comeBack(first)
  await settle(world)
  t.same(standingOf(world), [6, 6, 6, 0])
  await within(t, world, 30)
})

test('site - standing limits make room for a car that draws more than its limit', async (t) => {
  const world = await begun([one, one, one, one], 26)
  const [first] = world.chargers as Chargers
  if (first === undefined) throw new Error('there is no charge point')
  t.same(standingOf(world), [6, 6, 6, 0])
  await world.plug(first, 3)
  await settle(world)
  await world.report(first, { watts: 22_080, phases: 3 })
  await settle(world)
  const { counted_kw, chargers } = await world.allocation()
  t.match(chargers[0], { state: 'ignored', counted_kw: 22.08 })
  t.ok(counted_kw <= 26, `${counted_kw} kW`)
  t.same(standingOf(world), [6, 0, 0, 0])
})

test('site - a paused car counts with the limit that it has confirmed, and raises leave without an alert', async (t) => {
  const world = await begun([one, one, one, one, refusing], 50)
  t.same(standingOf(world), [6, 6, 6, 0, undefined])
  const [first, second, third] = world.chargers as Chargers
  if (first === undefined || second === undefined || third === undefined) throw new Error('there is no charge point')
  await world.plug(first, 1)
  await settle(world)
  await world.report(first, true)
  for (const charger of world.chargers) await world.plug(charger, 3)
  await settle(world)
  await world.lose(second)
  await world.configure({ max_power_kw: 33 })
  await settle(world)
  await world.comeBack(second)
  for (let round = 0; round < 4; round++) await settle(world)
  await within(t, world, 33)
  const { chargers, counted_kw } = await world.allocation()
  t.same(
    chargers.filter(({ state }) => state === 'pending').map(({ charge_point_id }) => charge_point_id),
    [],
  )
  for (const { state, counted_kw: counted } of chargers.filter(({ state }) => state === 'paused'))
    t.equal(counted, 0, state)
  t.ok(counted_kw > 28, `${counted_kw} kW`)
  const open = world
    .view()
    .list(alertsTable, [])
    .filter(({ status, kind }) => status === 'open' && kind === 'site_power_exceeded')
  t.same(open, [])
})

test('site - a car that is paused with an ampere leaves the rest of the budget to the others', async (t) => {
  const world = await begun([{ ...one, manner: 'refuses-zero' }, one, one], 9)
  for (const charger of world.chargers) await world.plug(charger, 3)
  for (let round = 0; round < 4; round++) await settle(world)
  await within(t, world, 9)
})

test('site - the allocation warns while nobody can charge, whatever the reason', async (t) => {
  const codes = async (world: SiteWorld) => (await world.allocation()).warnings.map(({ code }) => code)
  const world = await begun([one, one], 4)
  t.same((await world.allocation()).warnings, [
    {
      code: 'nobody_can_charge',
      message: 'No car can charge: 4 of 4 kW can be given to cars, and a car is charged with 4.14 kW at least.',
      charge_point_id: null,
    },
  ])
  for (const charger of world.chargers) await world.plug(charger, 3)
  await settle(world)
  t.same(await codes(world), ['nobody_can_charge'])
  await world.configure({ max_power_kw: 5 })
  await settle(world)
  t.same(await codes(world), [])

  const half = await siteWorld([one, one], { max_power_kw: 25 })
  await half.report(half.chargers[0] as Chargers[number])
  await settle(half)
  t.match((await half.allocation()).warnings, [
    { message: /22.08 kW are set aside for CP-2, which has never been connected/ },
  ])
})
