// The history of a site's power: every bucket has what held in it, for as long as it was seen, and nothing twice after a restart.

import { test } from 'tap'
import { type PowerRollUp, powerRollUpsTable, valuesOfBucket } from '../../../src/records/power-roll-up.js'
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
  const site = rows.find(({ subject_id }) => !subject_id.startsWith('CP-'))?.subject_id ?? ''
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
})
