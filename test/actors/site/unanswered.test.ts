// Limits that may be in force although nobody has heard of it, and limits that are over although they were confirmed.

import { type Test, test } from 'tap'
import { type ChargerOptions, type SiteWorld, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }
const budgetKw = 22.08

async function settle(world: SiteWorld): Promise<void> {
  for (let round = 0; round < 12; round++) {
    await world.answerAll()
    await world.pass(6)
  }
}

async function begun(chargers: readonly ChargerOptions[] = [one, one]) {
  const world = await siteWorld(chargers, { max_power_kw: budgetKw })
  for (const charger of world.chargers) await world.report(charger)
  await settle(world)
  const [first, second] = world.chargers
  if (first === undefined || second === undefined) throw new Error('there are no charge points')
  return { world, first, second }
}

function within(t: Test, world: SiteWorld): void {
  t.ok(world.drawn() <= budgetKw * 1000 + 1, `${world.drawn()} W of ${budgetKw} kW`)
}

test('site - the first limit of a car counts, although the service ended before it was answered', async (t) => {
  const { world, first, second } = await begun()
  await world.plug(second, 3)
  await world.plug(first, 3)
  await world.restart({ areApplied: true })
  t.equal(Math.round(world.drawnOf(second)), 17_940, 'all but what stands for the other')
  for (let round = 0; round < 4; round++) {
    await world.answer(first)
    within(t, world)
  }
  await settle(world)
  within(t, world)
})

test('site - a limit that ran out while its charge point was away is room that others have', async (t) => {
  const { world, first, second } = await begun()
  await world.plug(first, 3)
  await world.plug(second, 3)
  await settle(world)
  await world.lose(first)
  for (let minute = 0; minute < 40; minute++) {
    await world.answerAll()
    await world.pass(60)
  }
  t.ok(world.drawnOf(second) > 12_000, `${world.drawnOf(second)}`)
  await world.comeBack(first)
  for (let round = 0; round < 4; round++) {
    await world.answer(first)
    within(t, world)
  }
  await settle(world)
  within(t, world)
})

test('site - a car keeps its limit where its charge point takes no other any more', async (t) => {
  const { world, first, second } = await begun()
  await world.plug(first, 3)
  await settle(world)
  first.manner = 'refuses-all'
  await world.plug(second, 3)
  for (let minute = 0; minute < 10; minute++) {
    await settle(world)
    within(t, world)
  }
})

test('site - a limit that was accepted in another case is accepted', async (t) => {
  const { world, first } = await begun([{ ...one, manner: 'obeys-in-lower-case' }, one])
  await world.plug(first, 3)
  await settle(world)
  const { chargers } = await world.allocation()
  t.match(chargers, [{ state: 'applied' }])
})

test('site - a charge point that boots while its transaction goes on is sent its limit again', async (t) => {
  const { world, first } = await begun()
  await world.plug(first, 3)
  await settle(world)
  const before = world.drawnOf(first)
  t.ok(before > 15_000)
  first.connector = undefined
  first.bootedAt = new Date(world.clock.now()).toISOString()
  await world.report(first)
  await settle(world)
  t.equal(world.drawnOf(first), before)
})
