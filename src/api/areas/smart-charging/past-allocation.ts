// How a site would have shared its power over a past period: computed from the roll-ups of its charge points, bucket by bucket, in slices between
// which other requests go on. Reads only.

import { type Static, Type } from 'typebox'
import { factsOf } from '../../../actors/site/facts.js'
import { limits as siteLimits } from '../../../actors/site/limits.js'
import { type PastCharger, type PastShare, pastPlanner } from '../../../actors/site/past.js'
import { termsOf } from '../../../actors/site/state.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import type { PowerBucket } from '../../../records/power-roll-up.js'
import type { Site } from '../../../records/site.js'
import { siteChargersTable } from '../../../records/site-charger.js'
import type { SiteConfiguration } from '../../../records/site-configuration.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { longOncePaused } from '../../pipeline/long-reads.js'
import type { Long } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { limits } from './limits.js'
import { type Period, storedBuckets } from './period.js'

const kilowatts = (description: string) => Type.Number({ description })

const energies = {
  drawn_kwh: Type.Number({ description: 'What was metered.' }),
  not_served_kwh: Type.Number({
    description:
      'What was drawn beyond the simulated limits: the cars would have had to charge it at another time, which is not simulated.',
  }),
}

const minutes = {
  limited_minutes: Type.Number({
    description: 'For so long its cars would have had less than they wanted, or waited.',
  }),
  was_limited_minutes: Type.Number({ description: 'For so long they did: they drew all of a limit, or waited.' }),
}

const shareSchema = Type.Object({
  charge_point_id: Type.String(),
  allocated_kw: kilowatts('The sum of the limits that its cars would have had.'),
  was_allocated_kw: kilowatts('The mean of those that they had, while they charged.'),
  drawn_kw: kilowatts('The mean of what was metered, while they charged.'),
  not_served_kwh: energies.not_served_kwh,
  reason: Type.String({ description: 'Why: as in the allocation.' }),
})

const pointSchema = Type.Object({
  timestamp: timestamp('When the bucket begins.'),
  budget_kw: kilowatts('What the site could have taken at the beginning of the bucket.'),
  was_budget_kw: nullable(
    kilowatts('The mean of what it could take; null where nothing is stored of the site itself.'),
  ),
  allocated_kw: kilowatts('The sum of the limits below, as if all cars of the bucket had charged at once.'),
  was_allocated_kw: kilowatts('The mean of the sum of what they had.'),
  drawn_kw: kilowatts('The mean of the sum of what was metered.'),
  not_served_kwh: energies.not_served_kwh,
  chargers: Type.Array(shareSchema, { description: 'The charge points at which a car charged.' }),
})

export const pastAllocationSchema = named('PastPowerAllocation', {
  site_id: Type.String(),
  strategy: Type.String(),
  start: timestamp(),
  end: timestamp(),
  bucket: Type.String(),
  ...energies,
  ...minutes,
  chargers: Type.Array(Type.Object({ charge_point_id: Type.String(), ...energies, ...minutes }), {
    description: 'The charge points that are in the site now, if a car charged there in the period.',
  }),
  points: Type.Array(pointSchema, { description: 'A bucket in which no car charged has no point.' }),
})

type PastAllocation = Static<typeof pastAllocationSchema>
type Sums = Pick<PastAllocation, 'drawn_kwh' | 'not_served_kwh' | 'limited_minutes' | 'was_limited_minutes'>

const kw = (watts: number): number => Math.round(watts) / 1000
const kwh = (watts: number, { observedMs }: PowerBucket): number => (watts * observedMs) / 3_600_000_000
const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** Throws `validation_error` for a period that is too long for the charge points of the site. */
export async function pastAllocation(
  { view, begin }: { readonly view: ReadView } & Long,
  site: Site,
  configuration: SiteConfiguration,
  period: Period,
): Promise<PastAllocation> {
  const { organization_id, site_id } = site
  const context = { read: () => view }
  const members = view.listBy(chargePointsTable, 'bySite', [organization_id, site_id], {
    limit: siteLimits.chargersOfSite,
  })
  requireRoom(period, members.length)
  const chargers = members.map((member): PastCharger => {
    const id = member.charge_point_id
    return { id, facts: factsOf(member, context), row: view.get(siteChargersTable, [site_id, id]) }
  })
  const reading = longOncePaused(begin)
  try {
    const drawn = new Map<number, Map<string, PowerBucket>>()
    for (const { id } of chargers) {
      for (const bucket of storedBuckets(view, organization_id, id, period, site_id)) {
        const all = drawn.get(bucket.at) ?? new Map<string, PowerBucket>()
        drawn.set(bucket.at, all.set(id, bucket))
      }
      if (reading.isOver()) await reading.pause()
    }
    const stored = storedBuckets(view, organization_id, site_id, period)
    const budgets = new Map(stored.map(({ at, budgetWatts }) => [at, budgetWatts]))
    const plan = pastPlanner(configuration, termsOf(site, configuration, context), chargers)
    const sums = new Map<string, Sums>()
    const points: PastAllocation['points'] = []
    for (const [at, buckets] of [...drawn].sort(([one], [other]) => one - other)) {
      const { budgetWatts, shares } = plan(at, buckets)
      points.push(pointOf(at, budgetWatts, budgets.get(at), shares, buckets))
      for (const share of shares) addShare(sums, share, buckets.get(share.chargePointId) as PowerBucket)
      if (reading.isOver()) await reading.pause()
    }
    return {
      site_id,
      strategy: configuration.strategy,
      start: formatTimestamp(period.start),
      end: formatTimestamp(period.end),
      bucket: period.bucket,
      ...roundedSums([...sums.values()].reduce(together, noSums)),
      chargers: [...sums].map(([charge_point_id, own]) => ({ charge_point_id, ...roundedSums(own) })),
      points,
    }
  } finally {
    reading.end()
  }
}

function requireRoom({ buckets }: Period, chargePoints: number): void {
  const most = Math.floor(limits.simulatedShares / Math.max(1, chargePoints))
  if (buckets <= most) return
  const message = `is too far from start: the period has ${buckets} buckets, and with the ${chargePoints} charge points of the site, ${most} can be simulated at once. Ask for a shorter period or larger buckets`
  throw invalid([{ path: '/past/end', message }])
}

function pointOf(
  at: number,
  budgetWatts: number,
  wasBudgetWatts: number | undefined,
  shares: readonly PastShare[],
  buckets: ReadonlyMap<string, PowerBucket>,
): PastAllocation['points'][number] {
  const chargers = shares.map(({ chargePointId, allocatedWatts, missedWatts, reason }) => {
    const bucket = buckets.get(chargePointId) as PowerBucket
    return {
      charge_point_id: chargePointId,
      allocated_kw: kw(allocatedWatts),
      was_allocated_kw: kw(bucket.allocatedWatts),
      drawn_kw: kw(bucket.drawnWatts),
      not_served_kwh: rounded(kwh(missedWatts, bucket)),
      reason,
    }
  })
  const sum = (of: (charger: (typeof chargers)[number]) => number): number =>
    rounded(chargers.reduce((total, charger) => total + of(charger), 0))
  // Cars come and leave within a bucket: what one had for a part of it counts for that part.
  const all = [...buckets.values()]
  const longestMs = Math.max(...all.map(({ observedMs }) => observedMs))
  const mean = (of: (bucket: PowerBucket) => number): number =>
    kw(all.reduce((total, bucket) => total + (of(bucket) * bucket.observedMs) / longestMs, 0))
  return {
    timestamp: formatTimestamp(at),
    budget_kw: kw(budgetWatts),
    was_budget_kw: wasBudgetWatts === undefined ? null : kw(wasBudgetWatts),
    allocated_kw: sum(({ allocated_kw }) => allocated_kw),
    was_allocated_kw: mean(({ allocatedWatts }) => allocatedWatts),
    drawn_kw: mean(({ drawnWatts }) => drawnWatts),
    not_served_kwh: sum(({ not_served_kwh }) => not_served_kwh),
    chargers,
  }
}

const noSums: Sums = { drawn_kwh: 0, not_served_kwh: 0, limited_minutes: 0, was_limited_minutes: 0 }

function addShare(sums: Map<string, Sums>, { chargePointId, ...share }: PastShare, bucket: PowerBucket): void {
  const minutes = bucket.observedMs / 60_000
  const own: Sums = {
    drawn_kwh: kwh(bucket.drawnWatts, bucket),
    not_served_kwh: kwh(share.missedWatts, bucket),
    limited_minutes: share.isLimited ? minutes : 0,
    was_limited_minutes: share.wasLimited ? minutes : 0,
  }
  sums.set(chargePointId, together(sums.get(chargePointId) ?? noSums, own))
}

function together(one: Sums, other: Sums): Sums {
  return {
    drawn_kwh: one.drawn_kwh + other.drawn_kwh,
    not_served_kwh: one.not_served_kwh + other.not_served_kwh,
    limited_minutes: one.limited_minutes + other.limited_minutes,
    was_limited_minutes: one.was_limited_minutes + other.was_limited_minutes,
  }
}

function roundedSums(sums: Sums): Sums {
  return {
    drawn_kwh: rounded(sums.drawn_kwh),
    not_served_kwh: rounded(sums.not_served_kwh),
    limited_minutes: rounded(sums.limited_minutes),
    was_limited_minutes: rounded(sums.was_limited_minutes),
  }
}
