// Charge points that refuse limits, ignore them or forget them, and what a site makes of each.

import { type Test, test } from 'tap'
import { alertsTable } from '../../../src/records/alert.js'
import { outboxTable } from '../../../src/runtime/actor/outbox.js'
import { type ChargerOptions, type SiteWorld, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }

async function begun(chargers: readonly ChargerOptions[], budgetKw: number): Promise<SiteWorld> {
  const world = await siteWorld(chargers, { max_power_kw: budgetKw })
  for (const charger of world.chargers) await world.report(charger)
  for (let round = 0; round < 8; round++) {
    await world.answerAll()
    await world.pass(10)
  }
  return world
}

async function settle(world: SiteWorld): Promise<void> {
  for (let round = 0; round < 12; round++) {
    await world.answerAll()
    await world.pass(6)
  }
}

function alertsOf(world: SiteWorld): readonly string[] {
  const open = world
    .view()
    .list(alertsTable, [])
    .filter(({ status }) => status === 'open')
  return open.map(({ kind, subject }) => `${kind} ${subject}`)
}

async function chargesWith(t: Test, charger: ChargerOptions, budgetKw: number, wanted: number): Promise<SiteWorld> {
  const world = await begun([charger, one], budgetKw)
  for (const each of world.chargers) await world.plug(each, 3)
  await settle(world)
  const [first] = world.chargers
  t.equal(first === undefined ? 0 : Math.round(world.drawnOf(first)), wanted)
  t.ok(world.drawn() <= budgetKw * 1000)
  return world
}

test('site - one that refuses a TxProfile is limited by a TxDefaultProfile of its connector', async (t) => {
  const world = await chargesWith(t, { ...one, manner: 'refuses-tx' }, 30, 14_973)
  const [first] = world.chargers
  if (first === undefined) throw new Error('there is no charge point')
  await world.unplug(first)
  await settle(world)
  t.equal(world.limitOf(first), 6, 'which is its standing limit again when the car has left')
})

test('site - one that takes watts alone is limited in watts', async (t) => {
  await chargesWith(t, { ...one, manner: 'refuses-amperes' }, 30, 14_973)
})

test('site - one that refuses 0 is paused with less than a car can charge with', async (t) => {
  const world = await begun([{ ...one, manner: 'refuses-zero' }, one, one, one, one], 12)
  for (const charger of world.chargers) await world.plug(charger, 3)
  await settle(world)
  t.ok(world.drawn() <= 12_000)
  const { chargers } = await world.allocation()
  t.equal(chargers.filter(({ state }) => state === 'paused').length, 3)
})

test('site - one that refuses all limits is counted with all that it can draw, and somebody is told', async (t) => {
  const world = await begun([{ ...one, manner: 'refuses-all' }, one], 30)
  t.same(alertsOf(world), ['power_limit_refused CP-1'])
  for (const charger of world.chargers) await world.plug(charger, 3)
  await settle(world)
  await settle(world)
  const { chargers, unlimited, counted_kw } = await world.allocation()
  t.match(unlimited, [{ charge_point_id: 'CP-1', counted_kw: 22.08 }])
  t.match(chargers[0], { state: 'rejected', counted_kw: 22.08 })
  t.match(chargers[1], { state: 'applied', allocated_kw: 7.866 })
  t.ok(counted_kw <= 30)
})

test('site - one that ignores its limit is counted with what it draws, and somebody is told until it obeys', async (t) => {
  const world = await begun([one, one], 20)
  const [first, second] = world.chargers
  if (first === undefined || second === undefined) throw new Error('there are no charge points')
  await world.plug(first, 3)
  await world.plug(second, 3)
  await settle(world)
  await world.report(first, { watts: 15_000, phases: 3 })
  await settle(world)
  t.same(alertsOf(world), ['power_limit_ignored CP-1/1'])
  const { chargers } = await world.allocation()
  t.match(chargers[0], { state: 'ignored', counted_kw: 15 })
  t.match(chargers[1], { state: 'applied', allocated_kw: 4.968 })
  await world.restart()
  await world.report(first, { watts: 9_900, phases: 3 })
  await settle(world)
  t.same(alertsOf(world), [], 'also where the actor was loaded anew meanwhile')
})

test('site - a budget that falls below what an unreachable charge point may draw is told of after two minutes', async (t) => {
  const world = await begun([one, one], 40)
  const [first] = world.chargers
  if (first === undefined) throw new Error('there is no charge point')
  await world.plug(first, 3)
  await settle(world)
  await world.lose(first)
  await world.configure({ max_power_kw: 10 })
  await world.pass(60)
  t.same(alertsOf(world), [])
  await world.pass(90)
  t.same(alertsOf(world), ['site_power_exceeded sit_1'])
  await world.comeBack(first)
  await settle(world)
  t.same(alertsOf(world), [])
  t.ok(world.drawn() <= 10_000)
})

test('site - alerts end with the management of the site, once each', async (t) => {
  const world = await begun([one, { ...one, manner: 'refuses-all' }], 40)
  const [first] = world.chargers
  if (first === undefined) throw new Error('there is no charge point')
  await world.plug(first, 3)
  await settle(world)
  await world.lose(first)
  await world.configure({ max_power_kw: 10 })
  await world.pass(150)
  t.same(alertsOf(world), ['power_limit_refused CP-2', 'site_power_exceeded sit_1'])
  await world.unmanage(2)
  t.same(alertsOf(world), [])
  const ended = world
    .view()
    .list(outboxTable, [])
    .filter(({ event }) => event === 'alert.resolved')
  t.equal(ended.length, 2)
})

test('site - a budget of 0 pauses everybody, and more lets them go on', async (t) => {
  const world = await begun([one, one], 20)
  for (const charger of world.chargers) await world.plug(charger, 3)
  await settle(world)
  await world.configure({ max_power_kw: 0 })
  await settle(world)
  t.equal(world.drawn(), 0)
  const { chargers } = await world.allocation()
  t.match(chargers, [{ state: 'paused' }, { state: 'paused' }])
  await world.configure({ max_power_kw: 20 })
  await settle(world)
  t.equal(Math.round(world.drawn()), 19_872)
})

test('site - a car on one phase of three is seen, and gets its share on that phase', async (t) => {
  const world = await begun([one, one], 20)
  const [first, second] = world.chargers
  if (first === undefined || second === undefined) throw new Error('there are no charge points')
  await world.plug(first, 1)
  await world.plug(second, 3)
  await settle(world)
  await world.report(first, true)
  await settle(world)
  t.equal(Math.round(world.drawnOf(first)), 7_360, '32 A on one phase, which is all that it can take')
  t.equal(Math.round(world.drawnOf(second)), 12_627)
})

test('site - cars that cannot all have their minimum take turns', async (t) => {
  const world = await begun([one, one, one], 5)
  for (const charger of world.chargers) await world.plug(charger, 3)
  const charged = new Set<string>()
  for (let minute = 0; minute < 60; minute++) {
    await world.answerAll()
    await world.pass(60)
    for (const charger of world.chargers) if (world.drawnOf(charger) > 0) charged.add(charger.id)
    t.ok(world.drawn() <= 5_000)
  }
  t.equal(charged.size, 3)
})

test('site - what was metered before a lowering says nothing of whether it is obeyed', async (t) => {
  const world = await begun([one, one], 22.08)
  const [first, second] = world.chargers
  if (first === undefined || second === undefined) throw new Error('there are no charge points')
  await world.plug(first, 3)
  await settle(world)
  await world.report(first, true)
  await world.plug(second, 3)
  await settle(world)
  await world.pass(90)
  await world.report(first)
  t.same(alertsOf(world), [])
  t.equal(Math.round(world.drawnOf(second)), 11_040)
})

test('site - one that ignores its limit is counted with what it draws for as long as it does, also over a restart', async (t) => {
  const world = await begun([one, one], 20)
  const [first, second] = world.chargers
  if (first === undefined || second === undefined) throw new Error('there are no charge points')
  await world.plug(first, 3)
  await world.plug(second, 3)
  await settle(world)
  for (let minute = 0; minute < 80; minute++) {
    if (minute === 20) await world.restart()
    await world.report(first, { watts: 15_000, phases: 3 })
    await world.answerAll()
    await world.pass(60)
    if (minute > 2) t.ok(world.drawnOf(second) <= 5_000, `${minute}: ${world.drawnOf(second)}`)
  }
})
