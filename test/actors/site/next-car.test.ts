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
