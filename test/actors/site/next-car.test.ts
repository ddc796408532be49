// A limit that stays at a charge point when its session is over is that of the next car, too, whichever that is.

import { test } from 'tap'
import { type ChargerOptions, siteWorld } from './site-world.js'

const refusing: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'refuses-tx' }
const budgetKw = 20

test('site - where limits outlive their sessions, a car on one phase leaves no more than the budget to one on three', async (t) => {
  const world = await siteWorld([refusing, { ...refusing, rotation: 'STR', manner: 'obeys' }], {
    max_power_kw: budgetKw,
  })
  const [one, other] = world.chargers as [(typeof world.chargers)[number], (typeof world.chargers)[number]]
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 8; round++) {
      for (const charger of world.chargers) await world.report(charger, true)
      await world.answerAll()
      await world.pass(10)
    }
  }
  await settle()
  await world.plug(one, 1)
  await world.plug(other, 3)
  await settle()
  t.ok(world.drawnOf(one) > 0 && world.drawnOf(other) > 0, 'both charge')
  await world.unplug(one)
  await world.lose(one)
  await world.plug(one, 3)
  t.ok(world.drawn() <= budgetKw * 1000, `${world.drawn()} W of ${budgetKw} kW`)
})

test('site - where limits outlive their sessions, they run out when the budget falls and nobody can be told', async (t) => {
  const world = await siteWorld([refusing, { ...refusing, manner: 'obeys' }], { max_power_kw: 22.08 })
  const [one] = world.chargers as [(typeof world.chargers)[number]]
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 8; round++) {
      for (const charger of world.chargers) await world.report(charger, true)
      await world.answerAll()
      await world.pass(10)
    }
  }
  await settle()
  const inMinutes = (minutes: number): string =>
    new Date(world.clock.now() + minutes * 60_000).toISOString().slice(11, 16)
  const night = { start_time: inMinutes(120), end_time: inMinutes(240), max_power_kw: 6 }
  await world.configure({ strategy: 'scheduled', schedule: [night] })
  await world.plug(one, 3)
  await settle()
  t.ok(world.drawn() > 6_000, 'it charges')
  await world.lose(one)
  await world.pass(3 * 3_600)
  t.ok(world.drawn() <= 6_001, `${world.drawn()} W of 6 kW`)
})
