// The past of a site under another configuration: what the plan of the site makes of what its cars drew, in the way in which it shared then.

import fc from 'fast-check'
import { test } from 'tap'
import type { ChargerFacts } from '../../../src/actors/site/facts.js'
import { pastPlanner } from '../../../src/actors/site/past.js'
import { pastAllocation } from '../../../src/api/areas/smart-charging/past-allocation.js'
import { periodOf } from '../../../src/api/areas/smart-charging/period.js'
import { beginAtOnce } from '../../../src/api/pipeline/long-reads.js'
import type { PowerBucket } from '../../../src/records/power-roll-up.js'
import { sitesTable } from '../../../src/records/site.js'
import {
  budgetTerms,
  type SiteConfiguration,
  siteConfigurationsTable,
  strategies,
} from '../../../src/records/site-configuration.js'
import { type ChargerOptions, type SiteWorld, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }
const minuteMs = 60_000

async function charge(world: SiteWorld, minutes: number): Promise<void> {
  for (let round = 0; round < minutes * 3; round++) {
    await world.answerAll()
    for (const charger of world.chargers) await world.report(charger, true)
    await world.pass(20)
  }
}

test('past allocation - with the configuration that held it is what was, with others what they would have made of it', async (t) => {
  const world = await siteWorld([one, one, one], { max_power_kw: 30 })
  await charge(world, 2)
  for (const charger of world.chargers) await world.plug(charger, 3)
  const begun = Math.ceil(world.clock.now() / minuteMs) * minuteMs
  await charge(world, 22)
  for (const charger of world.chargers) await world.unplug(charger)
  await world.pass(90)

  const view = world.view()
  const site = view.get(sitesTable, ['sit_1'])
  const stored = view.get(siteConfigurationsTable, ['sit_1'])
  if (site === undefined || stored === undefined) throw new Error('there is a site')
  const time = (minutes: number): string => new Date(begun + minutes * minuteMs).toISOString()
  // The first minute is of the cars' beginning.
  const period = periodOf({ start: time(1), end: time(21), bucket: '1min' }, 3_000, '/past/end')
  const under = (change: Partial<SiteConfiguration>) =>
    pastAllocation({ view, begin: beginAtOnce('org_1') }, site, { ...stored, ...change }, period)

  const same = await under({})
  t.equal(same.points.length, 20)
  for (const point of same.points) {
    t.match(point, { budget_kw: 30, was_budget_kw: 30, not_served_kwh: 0 })
    for (const { allocated_kw, was_allocated_kw } of point.chargers)
      t.ok(Math.abs(allocated_kw - was_allocated_kw) < 0.1, `${allocated_kw} kW were ${was_allocated_kw} kW`)
  }
  t.match(same, { limited_minutes: 60, was_limited_minutes: 60, not_served_kwh: 0 })
  t.ok(Math.abs(same.drawn_kwh - 10) < 0.1, `${same.drawn_kwh} kWh are twenty minutes of 30 kW`)

  const less = await under({ max_power_kw: 15 })
  t.ok(Math.abs(less.not_served_kwh - 5) < 0.1, `${less.not_served_kwh} kWh are the half of it`)
  t.match(less, { limited_minutes: 60, was_limited_minutes: 60 })
  t.ok(less.points.every(({ allocated_kw }) => allocated_kw <= 15))

  const more = await under({ max_power_kw: 100 })
  t.match(more, { limited_minutes: 0, was_limited_minutes: 60, not_served_kwh: 0 })
  t.ok(more.points.every(({ chargers }) => chargers.every(({ reason }) => reason === 'demand')))

  // Two of three have their minimum; they take turns of a quarter of an hour.
  const two = await under({ max_power_kw: 9 })
  const served = two.points.map(({ chargers }) =>
    chargers.filter(({ allocated_kw }) => allocated_kw > 0).map(({ charge_point_id }) => charge_point_id),
  )
  t.ok(served.every((some) => some.length === 2))
  t.same(new Set(served.slice(0, 15).flat()).size, 2, 'the turns last a quarter of an hour')
  t.same(new Set(served.flat()).size, 3, 'and then others have theirs')
})

test('past allocation - never adds up to more than the budget, nor to a limit below a minimum', async (t) => {
  const facts = fc.record<ChargerFacts>({
    connectors: fc.integer({ min: 1, max: 3 }),
    fullWatts: fc.constantFrom(3_680, 11_040, 22_080),
    phases: fc.constantFrom(1 as const, 3 as const),
    rotation: fc.constantFrom('RST' as const, 'STR' as const),
    maxStackLevel: fc.constant(undefined),
    units: fc.constant(['A', 'W'] as const),
    model: fc.constant(undefined),
    modelId: fc.constant(undefined),
    traits: fc.constant({}),
  })
  const draw = fc.record({
    allocatedWatts: fc.integer({ min: 0, max: 40_000 }),
    drawnWatts: fc.integer({ min: 0, max: 40_000 }),
    active: fc.integer({ min: 1, max: 3 }),
  })
  const configurations = fc.record({
    max_power_kw: fc.integer({ min: 0, max: 60 }),
    strategy: fc.constantFrom(...strategies),
    min_power_kw: fc.constantFrom(1.4, 4),
  })
  fc.assert(
    fc.property(
      fc.array(facts, { minLength: 1, maxLength: 6 }),
      configurations,
      fc.array(fc.array(fc.option(draw), { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 8 }),
      (all, given, rounds) => {
        const about = { site_id: 'sit_1', organization_id: 'org_1', version: 1, updated_at: '2026-11-01T00:00:00.000Z' }
        const chargers = all.map((one, index) => ({ id: `CP-${index}`, facts: one, row: undefined }))
        const configuration = { ...about, ...given, priority_order: ['CP-1'], schedule: [] }
        const site = {
          ...about,
          name: 'Quay',
          address: '',
          max_grid_power_kw: 50,
          latitude: 0,
          longitude: 0,
          created_at: about.updated_at,
        }
        const plan = pastPlanner(configuration, budgetTerms(configuration, site, [], 'UTC'), chargers)
        for (const [index, draws] of rounds.entries()) {
          const at = Date.parse(about.updated_at) + index * 15 * minuteMs
          const drawn = new Map<string, PowerBucket>()
          for (const [place, { id, facts }] of chargers.entries()) {
            const found = draws[place] ?? undefined
            if (found === undefined) continue
            const active = Math.min(found.active, facts.connectors)
            drawn.set(id, { at, observedMs: 900_000, budgetWatts: 0, ...found, active })
          }
          const { budgetWatts, shares } = plan(at, drawn)
          const sum = shares.reduce((total, { allocatedWatts }) => total + allocatedWatts, 0)
          if (sum > budgetWatts + 1) throw new Error(`${sum} W of ${budgetWatts} W`)
          if (shares.length !== drawn.size) throw new Error('a charge point is missing')
          for (const { chargePointId, allocatedWatts, missedWatts } of shares) {
            const own = drawn.get(chargePointId)?.drawnWatts ?? 0
            if (missedWatts !== Math.max(0, own - allocatedWatts)) throw new Error(`${missedWatts} W are missed`)
            const { phases = 3, fullWatts = 0 } = chargers.find(({ id }) => id === chargePointId)?.facts ?? {}
            if (allocatedWatts > 0 && allocatedWatts < Math.min(6 * 230 * phases, fullWatts) - 1)
              throw new Error(`${allocatedWatts} W are below the minimum`)
          }
        }
      },
    ),
    { numRuns: 300 },
  )
  t.pass()
})
