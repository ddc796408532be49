// What an allocation shows: sums that add up, and words whose numbers are those of the site.

import { type Test, test } from 'tap'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type ChargerOptions, type SiteWorld, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }

async function settle(world: SiteWorld, rounds = 10): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await world.answerAll()
    await world.pass(6)
  }
}

/** `unknown`: so many of the last were never connected. */
async function begun(
  options: readonly ChargerOptions[],
  configuration: Parameters<typeof siteWorld>[1],
  unknown = 0,
): Promise<SiteWorld> {
  const world = await siteWorld(options, configuration)
  for (const charger of world.chargers.slice(0, world.chargers.length - unknown)) await world.report(charger)
  await settle(world)
  return world
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const hair = 0.005

async function addsUp(t: Test, world: SiteWorld, { isWithin = true } = {}) {
  const allocation = await world.allocation()
  const { chargers, allocated_kw, counted_kw, reserved_kw, total_budget_kw } = allocation
  const idle = counted_kw - sum(chargers.map((charger) => charger.counted_kw))
  t.ok(Math.abs(allocated_kw - sum(chargers.map((charger) => charger.allocated_kw))) < hair, 'allocated is the sum')
  t.ok(idle > -hair && idle <= reserved_kw + hair, `${idle} is counted for the others, ${reserved_kw} is set aside`)
  if (isWithin) t.ok(allocated_kw + reserved_kw <= total_budget_kw + hair, 'both are within the budget')
  for (const { explanation } of chargers) t.notMatch(explanation, /(^|[\s(])-\d/, 'no number in words is negative')
  return allocation
}

test('site allocation - what is allocated, counted and set aside adds up, whatever charge points do', async (t) => {
  const world = await begun([one, { ...one, manner: 'refuses-all' }, { ...one, manner: 'refuses-tx' }, one], {
    max_power_kw: 50,
  })
  await addsUp(t, world)
  for (const charger of world.chargers.slice(0, 3)) await world.plug(charger, 3)
  await addsUp(t, world)
  await settle(world)
  t.match(await addsUp(t, world), { reserved_kw: 4.14 })
  const [first] = world.chargers
  if (first === undefined) throw new Error('there is no charge point')
  await world.lose(first)
  await settle(world)
  await addsUp(t, world)
  await world.comeBack(first)
  await world.unplug(first)
  await settle(world)
  t.match(await addsUp(t, world), { reserved_kw: 8.28 })
  await world.configure({ max_power_kw: 20 })
  await settle(world)
  await addsUp(t, world, { isWithin: false })
})

test('site allocation - a limit is not above what the connector can give, and a raise that is too small to be sent is applied', async (t) => {
  const world = await begun([{ ...one, phases: 1, maxPowerKw: 3.7 }], { max_power_kw: 50 })
  const [first] = world.chargers
  if (first === undefined) throw new Error('there is no charge point')
  await world.plug(first, 1)
  await settle(world)
  t.match(await addsUp(t, world), { chargers: [{ allocated_kw: 3.7, alone_kw: 3.7, counted_kw: 3.7, demand_kw: 3.7 }] })

  const shared = await begun([one, one], { max_power_kw: 16.56 })
  for (const charger of shared.chargers) await shared.plug(charger, 3)
  await settle(shared)
  await shared.configure({ max_power_kw: 17.2 })
  await settle(shared)
  const small = {
    allocated_kw: 8.556,
    counted_kw: 8.28,
    state: 'applied',
    explanation: /^8\.56 kW is its equal share: 17\.2 kW are shared by 2 cars\. Its limit stays at 8\.28 kW/,
  }
  t.match(await addsUp(t, shared), { chargers: [small, small] })
  await shared.configure({ max_power_kw: 30 })
  t.match(await addsUp(t, shared), {
    chargers: [{ state: 'pending', explanation: /Until it has confirmed this limit, it is counted with/ }, {}],
  })
})

test('site allocation - the words say what is set aside, and for whom', async (t) => {
  const world = await begun([one, one, one, one], { max_power_kw: 50 })
  const [first, , , last] = world.chargers
  if (first === undefined || last === undefined) throw new Error('there are no charge points')
  await world.plug(first, 3)
  await world.lose(last)
  await settle(world)
  await world.configure({ max_power_kw: 25 })
  await settle(world)
  const [entry] = (await addsUp(t, world)).chargers
  t.equal(
    entry?.explanation,
    '12.56 kW is its equal share: 12.58 kW of 25 kW are shared by 1 car (12.42 kW are set aside for 3 connectors without a car).',
  )
})

test('site allocation - a charge point that was never connected has its own reason, and is named to those who wait for it', async (t) => {
  const world = await begun([one, { ...one, maxPowerKw: 44.16 }], { max_power_kw: 40 }, 1)
  const [first] = world.chargers
  if (first === undefined) throw new Error('there is no charge point')
  await world.plug(first, 3)
  await settle(world)
  const { unlimited, chargers } = await addsUp(t, world, { isWithin: false })
  t.match(unlimited, [{ charge_point_id: 'CP-2', counted_kw: 44.16, reason: /^It has never been connected/ }])
  t.equal(
    chargers[0]?.explanation,
    'It waits: nothing of the 40 kW is left for 1 car, because 44.16 kW are set aside for CP-2, which has never been connected.',
  )
})

test('site allocation - the rank of a car is that of its charge point among those of the order', async (t) => {
  const world = await begun([one, one, one], {
    max_power_kw: 30,
    strategy: 'priority',
    priority_order: ['GONE', 'CP-3', 'CP-1'],
  })
  for (const charger of world.chargers) {
    const row = world.view().get(chargePointsTable, [charger.id])
    if (row !== undefined) await world.put(chargePointsTable, { ...row, connector_count: 2 })
  }
  await world.configure({})
  for (const charger of world.chargers) await world.plug(charger, 3)
  await settle(world)
  const { chargers } = await addsUp(t, world)
  const ranks = chargers.map(({ explanation }) => / number (\d+) |not in the order/.exec(explanation)?.[1])
  t.same(ranks, ['2', undefined, '1'])
})
