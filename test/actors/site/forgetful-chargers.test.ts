// Charge points that lose their limits over a boot, and what is made of them and of others of their model.

import { type Test, test } from 'tap'
import { learnedOf, modelIdOf } from '../../../src/records/model-traits.js'
import { type ChargerOptions, type SiteWorld, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }
const budgetKw = 40
const model = (firmware_version: string) => modelIdOf({ vendor: 'Example', model: 'Wall Box', firmware_version })

async function settle(world: SiteWorld): Promise<void> {
  for (let round = 0; round < 12; round++) {
    await world.answerAll()
    await world.pass(6)
  }
}

async function begun(first: ChargerOptions) {
  const world = await siteWorld([first, one, one], { max_power_kw: budgetKw })
  const [charger, other, third] = world.chargers
  if (charger === undefined || other === undefined || third === undefined) throw new Error('there are no charge points')
  for (const each of world.chargers) await world.report(each)
  await settle(world)
  return { world, charger, other, third }
}

async function countedOffline(world: SiteWorld): Promise<number> {
  return Math.round((await world.allocation()).counted_kw)
}

const traitsOf = (world: SiteWorld, version = '1.0') => learnedOf(world.view(), model(version))?.traits

test('site - one that has lost its limits over a boot gets them again before anybody has more, and is known for it', async (t) => {
  const { world, charger, other } = await begun(one)
  await world.boot(charger, { forgets: true })
  t.same(
    charger.calls.map(({ action }) => action),
    ['GetCompositeSchedule', 'SetChargingProfile'],
    'it is asked before the limit is set again',
  )
  await world.answer(charger)
  t.match((await world.allocation()).unlimited, [{ charge_point_id: 'CP-1', counted_kw: 22.08 }])
  await world.plug(other, 3)
  await world.answerOnly(other)
  t.ok(world.drawnOf(other) <= (budgetKw - 22.08) * 1_000)
  await settle(world)
  t.equal(world.limitOf(charger), 6)
  t.same((await world.allocation()).unlimited, [])
  t.match(traitsOf(world), { keeps_profiles: false })

  await world.lose(charger)
  t.match((await world.allocation()).unlimited, [{ charge_point_id: 'CP-1', reason: /forgets its limits/ }])
  await settle(world)
  await world.plug(charger, 3)
  await world.boot(charger, { forgets: true })
  t.ok(world.drawn() <= budgetKw * 1_000, `${world.drawn()} W, whatever it does while it is away`)
  await world.restart()
  t.match((await world.allocation()).unlimited, [{ charge_point_id: 'CP-1' }], 'also after the end of the service')
})

test('site - another firmware may keep its limits', async (t) => {
  const { world, charger } = await begun(one)
  await world.boot(charger, { forgets: true })
  await settle(world)
  await world.boot(charger, { firmwareVersion: '2.0' })
  await settle(world)
  t.equal(traitsOf(world), undefined, 'no charge point has the old one any more')
  t.same(traitsOf(world, '2.0'), { keeps_profiles: true })
  await world.lose(charger)
  t.same((await world.allocation()).unlimited, [])
})

test('site - others of the model are counted as forgetful, once more of them were seen to forget than to keep', async (t) => {
  const { world, charger, other, third } = await begun(one)
  await world.boot(other)
  await settle(world)
  t.same(traitsOf(world), { keeps_profiles: true })
  await world.boot(charger, { forgets: true })
  await settle(world)
  t.same(traitsOf(world), {}, 'they are divided')
  await world.lose(third)
  t.same((await world.allocation()).unlimited, [])
  await world.comeBack(third)
  await world.boot(other, { forgets: true })
  await settle(world)
  t.same(traitsOf(world), { keeps_profiles: false })
  await world.configure({})
  await world.lose(third)
  t.match((await world.allocation()).unlimited, [{ charge_point_id: 'CP-3', counted_kw: 22.08 }])
})

test('site - one that shows no limits while no car is there is not taken for forgetful, and is asked only once', async (t) => {
  const { world, charger } = await begun({ ...one, manner: 'hides' })
  await world.boot(charger)
  await settle(world)
  t.equal(traitsOf(world), undefined)
  const before = await countedOffline(world)
  await world.lose(charger)
  t.equal(await countedOffline(world), before)
  await world.comeBack(charger)
  await world.boot(charger)
  t.same(
    charger.calls.map(({ action }) => action),
    ['SetChargingProfile'],
  )
})

test('site - one that draws more than it has accepted is known for it, and one that does not as well', async (t: Test) => {
  const { world, charger, other } = await begun(one)
  for (const each of world.chargers) await world.plug(each, 3)
  await settle(world)
  await world.report(other, true)
  await settle(world)
  t.same(traitsOf(world), { obeys_limits: true })
  await world.report(charger, { watts: 20_000, phases: 3 })
  await settle(world)
  t.same(traitsOf(world), {}, 'they are divided')
  await world.report(charger, { watts: 9_000, phases: 3 })
  await settle(world)
  t.same(traitsOf(world), {}, 'what it has done once is not forgotten')
})

test('site - a restart while a car charges shows whether the limits were lost, before they are set again', async (t) => {
  for (const goesOn of [true, false]) {
    const { world, charger, other } = await begun(one)
    await world.plug(charger, 3)
    await world.plug(other, 3)
    await settle(world)
    await world.lose(charger)
    await world.boot(charger, { forgets: true })
    await world.comeBack(charger)
    t.equal(charger.calls[0]?.action, 'GetCompositeSchedule')
    if (!goesOn) await world.unplug(charger)
    await settle(world)
    t.match(
      traitsOf(world),
      { keeps_profiles: false },
      goesOn ? 'its transaction goes on' : 'its transaction has ended',
    )

    await world.lose(charger)
    t.match((await world.allocation()).unlimited, [{ charge_point_id: 'CP-1', counted_kw: 22.08 }])
    await settle(world)
    await world.plug(charger, 3)
    await world.boot(charger, { forgets: true })
    await world.comeBack(charger)
    for (let answer = 0; answer < 20; answer++) {
      t.ok(world.couldDraw() <= budgetKw * 1_000 + 1, `${world.couldDraw()} W, when it comes back without limits`)
      for (const each of world.chargers) await world.answer(each)
    }
  }
})

test('site - one that has lost its limits is known for it also when it comes back to a site', async (t) => {
  const { world, charger, other, third } = await begun(one)
  for (const each of [other, third]) {
    await world.boot(each)
    await settle(world)
  }
  await world.boot(charger, { forgets: true })
  await settle(world)
  t.match(traitsOf(world), { keeps_profiles: true }, 'most of its model keep them')
  await world.link(charger, false)
  await world.link(charger, true)
  await world.report(charger)
  await settle(world)
  t.same((await world.allocation()).unlimited, [])
  await world.lose(charger)
  t.match((await world.allocation()).unlimited, [{ charge_point_id: 'CP-1', counted_kw: 22.08 }])
})

test('site - one that has kept the limit of its transaction over a restart is not taken for forgetful', async (t) => {
  const { world, charger, other } = await begun(one)
  await world.plug(charger, 3)
  await world.plug(other, 3)
  await settle(world)
  const before = world.drawnOf(charger)
  await world.boot(charger)
  await settle(world)
  t.same(traitsOf(world), { keeps_profiles: true })
  t.equal(world.drawnOf(charger), before)
  await world.lose(charger)
  t.same((await world.allocation()).unlimited, [])
})

test('site - after a restart nobody gets more until the charge point has shown its limits or has confirmed them again', async (t) => {
  const { world, charger, other, third } = await begun(one)
  await world.boot(charger)
  t.match((await world.allocation()).unlimited, [
    { charge_point_id: 'CP-1', counted_kw: 22.08, reason: /has restarted/ },
  ])
  await world.plug(other, 3)
  await world.answerOnly(other)
  t.ok(world.drawnOf(other) <= (budgetKw - 22.08) * 1_000, `${world.drawnOf(other)} W`)
  t.equal(third.standing, 6, 'and nobody has less for the moment that the answer takes')
  await world.answer(charger)
  t.same((await world.allocation()).unlimited, [])
})

test('site - one that does not answer after a restart has all that it can draw set aside after ten seconds', async (t) => {
  const { world, charger, other, third } = await begun(one)
  for (const each of [other, third]) await world.plug(each, 3)
  await settle(world)
  await world.boot(charger, { forgets: true })
  charger.calls.splice(0)
  await world.pass(16)
  await world.answerOnly(other)
  await world.answerOnly(third)
  t.ok(world.couldDraw() <= budgetKw * 1_000 + 1, `${world.couldDraw()} W`)
  t.ok(world.drawnOf(other) > 0)
})
