// Sites at odd times: when the clocks change, when nearly everybody is away, and when a car leaves in the middle of being told.

import { type Test, test } from 'tap'
import { inFullSuite } from '../../runner/sample.js'
import { type ChargerOptions, type SiteWorld, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }

async function settle(world: SiteWorld): Promise<void> {
  for (let round = 0; round < 12; round++) {
    await world.answerAll()
    await world.pass(6)
  }
}

const hours = (text: string): number => Date.parse(text)

/** From 02:00 to 03:00 on the clock of the site there is less; the cars charge from an hour before. */
async function night(
  t: Test,
  from: string,
  lessFrom: string | undefined,
  lessUntil: string | undefined,
): Promise<void> {
  const schedule = [{ start_time: '02:00', end_time: '03:00', max_power_kw: 10 }]
  const world = await siteWorld(
    [one, one],
    { max_power_kw: 40, strategy: 'scheduled', schedule },
    { at: from, site: { time_zone: 'Europe/Berlin' } },
  )
  for (const charger of world.chargers) await world.report(charger)
  await settle(world)
  for (const charger of world.chargers) await world.plug(charger, 3)
  await settle(world)
  t.ok(world.drawn() > 30_000, `${world.drawn()} W before`)
  let hadLess = 0
  for (let minute = 0; minute < 4 * 60; minute++) {
    await world.answerAll()
    const now = world.clock.now()
    const isLess = lessFrom !== undefined && now >= hours(lessFrom) && now < hours(lessUntil ?? '')
    if (world.drawn() > (isLess ? 10_000 : 40_000)) t.fail(`${world.drawn()} W at ${new Date(now).toISOString()}`)
    if (world.drawn() <= 10_000) hadLess++
    await world.pass(30)
    await world.answerAll()
    await world.pass(30)
  }
  const wanted = lessFrom === undefined ? 0 : (hours(lessUntil ?? '') - hours(lessFrom)) / 60_000
  t.ok(Math.abs(hadLess - wanted) <= 2, `${hadLess} minutes with less, of ${wanted}`)
}

test('site - when the clocks go forward over an hour of less power, there is no such hour', (t) =>
  night(t, '2027-03-28T00:30:00+01:00', undefined, undefined))

test('site - when the clocks go back over an hour of less power, it lasts twice as long', (t) =>
  night(t, '2027-10-31T00:30:00+02:00', '2027-10-31T02:00:00+02:00', '2027-10-31T03:00:00+01:00'))

test('site - on any other night it lasts an hour', (t) =>
  night(t, '2027-06-11T00:30:00+02:00', '2027-06-11T02:00:00+02:00', '2027-06-11T03:00:00+02:00'))

test(
  'site - 500 charge points of which 400 are offline: those count with their standing limits, and the others share the rest',
  inFullSuite,
  async (t) => {
    const budgetKw = 1_000
    const world = await siteWorld(
      Array.from({ length: 500 }, () => one),
      { max_power_kw: budgetKw },
    )
    for (const charger of world.chargers) await world.report(charger)
    await settle(world)
    for (const charger of world.chargers.slice(100)) await world.lose(charger)
    for (const charger of world.chargers.slice(60, 160)) await world.plug(charger, 3)
    await settle(world)
    const { chargers, counted_kw, reserved_kw, unlimited } = await world.allocation()
    t.same(unlimited, [])
    t.equal(chargers.length, 40, 'those that have said so')
    // Half of the budget holds the floors of 120 charge points, the first by their ids: one of them is among those that charge.
    t.equal(world.chargers.filter((charger) => world.limitOf({ ...charger, connector: undefined }) === 6).length, 120)
    t.ok(counted_kw <= budgetKw, `${counted_kw} kW are counted`)
    t.ok(Math.abs(reserved_kw - 119 * 4.14) < 0.1, `${reserved_kw} kW are set aside`)
    t.ok(world.drawn() <= budgetKw * 1_000, `${world.drawn()} W`)
    const [first] = chargers
    t.ok(Number(first?.allocated_kw) > 12, `${first?.allocated_kw} kW each`)
    const begun = performance.now()
    await world.pass(15)
    t.ok(performance.now() - begun < 2_000, `a look takes ${Math.round(performance.now() - begun)} ms`)
  },
)

test('site - 400 of 500 that were never heard of count with all that they can draw, and nobody has power', async (t) => {
  const world = await siteWorld(
    Array.from({ length: 500 }, () => one),
    { max_power_kw: 1_000 },
  )
  for (const charger of world.chargers.slice(0, 100)) await world.report(charger)
  await settle(world)
  for (const charger of world.chargers.slice(0, 40)) await world.plug(charger, 3)
  await settle(world)
  const { counted_kw, unlimited } = await world.allocation()
  t.equal(unlimited.length, 400)
  t.ok(counted_kw >= 400 * 22.08)
  t.ok(world.drawn() <= 100 * 4_140, 'no more than stands')
})

for (const manner of ['obeys', 'refuses-tx'] as const)
  test(`site - a car that leaves before its lower limit is confirmed frees what it had, once (${manner})`, async (t) => {
    const budgetKw = 30
    const world = await siteWorld([{ ...one, manner }, one, one], { max_power_kw: budgetKw })
    const [first, second, third] = world.chargers
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are charge points')
    for (const charger of world.chargers) await world.report(charger)
    await settle(world)
    await world.plug(first, 3)
    await settle(world)
    t.ok(world.drawnOf(first) > 20_000)
    const within = (): unknown => t.ok(world.drawn() <= budgetKw * 1_000, `${world.drawn()} of ${budgetKw} kW`)
    await world.plug(second, 3)
    await world.answerOnly(second)
    within()
    t.equal(first.calls.length, 1, 'its lower limit is on its way')
    await world.unplug(first)
    await world.plug(first, 3)
    await world.answerOnly(second)
    within()
    await world.plug(third, 3)
    for (let round = 0; round < 6; round++) {
      for (const charger of [third, second, first]) await world.answer(charger)
      within()
    }
    await settle(world)
    within()
    for (const charger of world.chargers) t.ok(world.drawnOf(charger) > 8_000)
  })
