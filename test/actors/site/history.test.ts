// The history of a site's power: every bucket has what held in it, for as long as it was seen, and nothing twice after a restart.

import { test } from 'tap'
import {
  bucketsBetween,
  type PowerBucket,
  type PowerRollUp,
  powerRollUpsTable,
  valuesOfBucket,
} from '../../../src/records/power-roll-up.js'
import { type ChargerOptions, type SiteWorld, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }

async function charge(world: SiteWorld, minutes: number): Promise<void> {
  for (let round = 0; round < minutes * 3; round++) {
    await world.answerAll()
    for (const charger of world.chargers) await world.report(charger, true)
    await world.pass(20)
  }
}

const bucketsOf = ({ values }: PowerRollUp): number[][] =>
  Array.from({ length: values.length / valuesOfBucket }, (_, index) =>
    values.slice(index * valuesOfBucket, (index + 1) * valuesOfBucket),
  ).filter(([observed]) => observed !== 0)

const isSite = (subject: string): boolean => subject.startsWith('sit_')

function observed(world: SiteWorld, subject: string, minutes: number): number {
  const rows = world
    .view()
    .list(powerRollUpsTable, ['org_1'])
    .filter((row) => row.subject_id === subject && row.minutes === minutes)
  return rows.flatMap(bucketsOf).reduce((sum, [ms = 0]) => sum + ms, 0)
}

test('site history - buckets of all sizes cover the same time, also over a restart and until the cars have left', async (t) => {
  const world = await siteWorld([one, one], { max_power_kw: 20 })
  await charge(world, 2)
  for (const charger of world.chargers) await world.plug(charger, 3)
  const begun = world.clock.now()
  await charge(world, 10)
  await world.restart()
  const restarted = world.clock.now()
  await charge(world, 7)
  for (const charger of world.chargers) await world.unplug(charger)
  const ended = world.clock.now()
  await world.pass(40)

  const rows = world.view().list(powerRollUpsTable, ['org_1'])
  const site = rows.map(({ subject_id }) => subject_id).find(isSite) ?? ''
  for (const minutes of [1, 5, 15, 60]) {
    const ms = observed(world, site, minutes)
    t.ok(ms <= ended - begun, `${ms} ms in buckets of ${minutes} min are no more than cars charged`)
    t.ok(ms >= ended - begun - 120_000, `and ${ms} ms are all but what was not yet written at the restart`)
    t.equal(ms, observed(world, site, 1))
    t.ok(observed(world, 'CP-1', minutes) >= ended - restarted - 1_000)
    for (const row of rows.filter((row) => row.subject_id === site && row.minutes === minutes))
      for (const [, budget = 0, allocated = 0, drawn = 0, active] of bucketsOf(row)) {
        t.equal(budget, 20_000)
        t.equal(active, 2)
        t.ok(allocated <= budget && drawn <= budget)
      }
  }
  const last = rows
    .filter(({ subject_id, minutes }) => subject_id === site && minutes === 1)
    .flatMap(bucketsOf)
    .at(-2)
  t.ok((last?.[3] ?? 0) > 18_000, `${last} tells what the cars drew`)
  for (const minutes of [1, 5, 15, 60]) {
    const ofOne = rows.filter((row) => row.subject_id === 'CP-1' && row.minutes === minutes)
    const shared = bucketsBetween(ofOne, begun + 3 * 60_000, ended - 3 * 60_000)
    for (const { reason } of shared) t.equal(reason, 'share', `why it had its limit, ${minutes} min`)
    t.ok(minutes > 5 || shared.length > 0)
  }
  t.ok(
    rows.every(
      ({ subject_id, reasons }) => (reasons === undefined) === (subject_id !== 'CP-1' && subject_id !== 'CP-2'),
    ),
  )
})

test('site history - a car that comes soon after another takes nothing from what is known of it', async (t) => {
  const world = await siteWorld([one, one], { max_power_kw: 20 })
  await charge(world, 2)
  const [charger] = world.chargers
  if (charger === undefined) throw new Error('there is a charge point')
  let charged = 0
  // They leave between two times at which something is written, and the next comes before what was noted then is on disk.
  for (let car = 0; car < 6; car++) {
    await world.plug(charger, 3)
    const begun = world.clock.now()
    await charge(world, 1)
    await world.pass(25 + car)
    await world.report(charger, true)
    await world.unplug(charger)
    charged += world.clock.now() - begun
    await world.pass(3)
  }
  await world.pass(300)
  const [site] = new Set(
    world
      .view()
      .list(powerRollUpsTable, ['org_1'])
      .map(({ subject_id }) => subject_id)
      .filter(isSite),
  )
  for (const subject of [site ?? '', 'CP-1'])
    for (const minutes of [1, 5, 15, 60])
      t.equal(observed(world, subject, minutes), charged, `${subject}, ${minutes} min`)
  t.equal(world.actors(), 0, 'the actor leaves memory when all is written')
})

test('site history - a charge point that is moved while it charges has a row of each site, which nobody else writes', async (t) => {
  const world = await siteWorld([one], { max_power_kw: 20 })
  await world.build('sit_2')
  await charge(world, 2)
  const [charger] = world.chargers
  if (charger === undefined) throw new Error('there is a charge point')
  await world.plug(charger, 3)
  const begun = world.clock.now()
  // There and back, faster than anything is written.
  for (const site of ['sit_2', 'sit_1', 'sit_2', 'sit_1']) {
    await charge(world, 1)
    await world.move(charger, site)
  }
  await charge(world, 7)
  await world.unplug(charger)
  const charged = world.clock.now() - begun
  await world.pass(90)

  for (const minutes of [1, 5, 15, 60]) {
    const rows = world
      .view()
      .list(powerRollUpsTable, ['org_1', 'CP-1'])
      .filter((row) => row.minutes === minutes)
    const buckets = bucketsBetween(rows, begun - 3_600_000, begun + 3_600_000)
    t.equal(
      buckets.reduce((sum, { observedMs }) => sum + observedMs, 0),
      charged,
      `${minutes} min`,
    )
    t.ok(buckets.every(({ observedMs }) => observedMs <= minutes * 60_000))
    const inSecond = rows.filter(({ site_id }) => site_id === 'sit_2').flatMap(bucketsOf)
    t.equal(
      inSecond.reduce((sum, [ms = 0]) => sum + ms, 0),
      120_000,
      'two minutes of it in the second site',
    )
  }
})

test('fleet history - every minute has what all sites were given and drew, once', async (t) => {
  const world = await siteWorld([one, one, one], { max_power_kw: 20 })
  await world.build('sit_2')
  const [first, second, third] = world.chargers
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are charge points')
  await world.move(third, 'sit_2')
  await charge(world, 2)
  for (const charger of world.chargers) await world.plug(charger, 3)
  const begun = Math.ceil(world.clock.now() / 60_000) * 60_000
  await charge(world, 10)
  await world.unplug(third)
  const ended = world.clock.now()
  await charge(world, 5)
  const left = world.clock.now()
  for (const charger of [first, second]) await world.unplug(charger)
  await charge(world, 7)

  const minutesOf = (subject: string): ReadonlyMap<number, PowerBucket> => {
    const rows = world.view().list(powerRollUpsTable, ['org_1', subject, 1])
    return new Map(bucketsBetween(rows, begun, begun + 3_600_000).map((bucket) => [bucket.at, bucket]))
  }
  const [fleet, ofFirst, ofSecond] = [minutesOf('org_1'), minutesOf('sit_1'), minutesOf('sit_2')]
  t.ok(fleet.size >= 14, `${fleet.size} minutes`)
  for (const [at, minute] of fleet) {
    const parts = [ofFirst.get(at), ofSecond.get(at)].filter((part) => part !== undefined)
    const sum = parts.reduce((watts, { drawnWatts, observedMs }) => watts + (drawnWatts * observedMs) / 60_000, 0)
    t.ok(Math.abs(minute.drawnWatts - sum) < 3, `${minute.drawnWatts} W are ${sum} W of the sites`)
    if (at + 60_000 < ended) {
      t.equal(minute.budgetWatts, 40_000)
      t.equal(minute.active, 3)
      t.ok(minute.drawnWatts > 36_000)
    } else if (at > ended && at + 60_000 < left) t.equal(minute.budgetWatts, 20_000)
  }
  t.ok([...fleet.keys()].some((at) => at > ended))
  t.equal(observed(world, 'org_1', 60), observed(world, 'org_1', 1))
  await world.answerAll()
  await world.pass(10)
  t.equal(world.actors(), 0, 'the actors leave memory when all is written')
})
