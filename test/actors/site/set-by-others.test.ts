// What others have set at a charge point before it was of a site, and what was on its way to it when it was taken out of one.

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

async function begun(first: ChargerOptions) {
  const world = await siteWorld([first, one], { max_power_kw: budgetKw })
  const [charger, other] = world.chargers
  if (charger === undefined || other === undefined) throw new Error('there are no charge points')
  return { world, charger, other }
}

const within = (t: Test, world: SiteWorld): unknown =>
  t.ok(world.drawn() <= budgetKw * 1000 + 1, `${world.drawn()} W of ${budgetKw} kW`)

const actionsOf = ({ calls }: { readonly calls: readonly { readonly action: string }[] }): readonly string[] =>
  calls.map(({ action }) => action)

test('site - a limit that others have set for a connector is cleared before power is given to others', async (t) => {
  const { world, charger, other } = await begun(one)
  charger.ofOthers = 32
  await world.report(other)
  await world.plug(other, 3)
  await settle(world)
  await world.report(charger)
  let answers = 0
  for (; charger.calls.length > 0; answers++) {
    await world.answer(charger)
    await world.answerOnly(other)
    if (charger.ofOthers !== undefined) t.equal(world.drawnOf(other), 0, 'nobody has what its car might take')
  }
  t.ok(answers >= 4, 'the standing limit, twice, and what was cleared between')
  t.equal(charger.ofOthers, undefined)
  await settle(world)
  t.ok(world.drawnOf(other) > 17_000)
  await world.lose(charger)
  await world.plug(charger, 3)
  within(t, world)
})

test('site - a charge point that clears more than it was asked to has its standing limit again', async (t) => {
  const { world, charger, other } = await begun({ ...one, manner: 'clears-all' })
  for (const each of world.chargers) await world.report(each)
  await settle(world)
  t.equal(world.limitOf(charger), 6)
  await world.plug(other, 3)
  await settle(world)
  await world.plug(charger, 3)
  within(t, world)
})

test('site - one that cannot clear is limited all the same', async (t) => {
  const { world, charger } = await begun({ ...one, manner: 'clears-nothing' })
  for (const each of world.chargers) await world.report(each)
  await settle(world)
  await world.plug(charger, 3)
  await settle(world)
  const { chargers } = await world.allocation()
  t.match(chargers, [{ charge_point_id: 'CP-1', state: 'applied' }])
})

test('site - while it is not known whether all is cleared, a connector counts with all that it can draw', async (t) => {
  const { world, charger, other } = await begun(one)
  await world.report(other)
  await world.report(charger)
  await world.answerOnly(other)
  while (actionsOf(charger)[0] === 'SetChargingProfile' || charger.standing === undefined) await world.answer(charger)
  t.equal(actionsOf(charger)[0], 'ClearChargingProfile')
  await world.answer(charger, 'lost')
  const { unlimited } = await world.allocation()
  t.match(unlimited, [{ charge_point_id: 'CP-1', counted_kw: 22.08, reason: /others have set/ }])
  await settle(world)
  t.same((await world.allocation()).unlimited, [], 'it is asked again')
})

test('site - what was on its way to a charge point when it was taken out says nothing once it is back', async (t) => {
  const { world, charger, other } = await begun(one)
  for (const each of world.chargers) await world.report(each)
  await settle(world)
  await world.plug(charger, 3)
  await settle(world)
  t.ok(world.drawnOf(charger) > 17_000)
  await world.configure({ max_power_kw: 20 })
  t.same(actionsOf(charger), ['SetChargingProfile'])
  await world.link(charger, false)
  await world.link(charger, true)
  await world.report(charger)
  await world.report(other)
  await world.plug(other, 3)
  for (let answer = 0; charger.calls.length > 0 && answer < 20; answer++) {
    await world.answer(charger)
    await world.answerOnly(other)
    t.ok(world.drawn() <= 22_080 + 1, `${world.drawn()} W`)
  }
  await settle(world)
  t.ok(world.drawn() <= 20_000, `${world.drawn()} W`)
  t.ok(world.drawnOf(charger) > 0 && world.drawnOf(other) > 0)
})

test('site - where the service ends while it is cleared, the standing limit that holds already is not cleared', async (t) => {
  const { world, charger } = await begun(one)
  await world.report(charger)
  while (charger.standing === undefined) await world.answer(charger)
  t.equal(world.limitOf(charger), 0, 'the other charge point may draw all of the budget')
  await world.restart()
  for (let answer = 0; answer < 10; answer++) {
    await world.answer(charger)
    t.equal(world.limitOf(charger), 0)
  }
  await settle(world)
  t.not((await world.allocation()).unlimited[0]?.charge_point_id, 'CP-1')
})
