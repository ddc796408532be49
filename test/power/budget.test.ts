// What a site may draw at an instant: by its schedule, across midnight, and when the clocks change.

import fc from 'fast-check'
import { test } from 'tap'
import {
  type BudgetTerms,
  budgetAt,
  leastBudget,
  leastWithin,
  nextFall,
  type ScheduledBudget,
} from '../../src/power/budget.js'
import { daysOfWeek } from '../../src/pricing/tariff-terms.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

function terms(schedule: readonly ScheduledBudget[], more: Partial<BudgetTerms> = {}): BudgetTerms {
  return {
    strategy: 'scheduled',
    watts: 50_000,
    gridWatts: 80_000,
    assetWatts: 0,
    schedule,
    timeZone: 'Europe/Berlin',
    ...more,
  }
}

const at = (text: string): number => Date.parse(text)
const evening: ScheduledBudget = { startMinute: 17 * 60, endMinute: 21 * 60, watts: 20_000 }

test('budget - the schedule is on the wall clock of the site', (t) => {
  const site = terms([evening])
  t.equal(budgetAt(site, at('2027-07-01T16:59:59.999+02:00')), 50_000)
  t.equal(budgetAt(site, at('2027-07-01T17:00:00+02:00')), 20_000)
  t.equal(budgetAt(site, at('2027-07-01T20:59:59+02:00')), 20_000)
  t.equal(budgetAt(site, at('2027-07-01T21:00:00+02:00')), 50_000)
  t.equal(budgetAt(site, at('2027-01-11T17:00:00+01:00')), 20_000, 'in winter too')
  t.equal(
    budgetAt({ ...site, strategy: 'equal' }, at('2027-07-01T17:00:00+02:00')),
    50_000,
    'only of strategy scheduled',
  )
  t.end()
})

test('budget - an entry across midnight belongs to the day on which it begins', (t) => {
  const site = terms([{ days: ['fri'], startMinute: 22 * 60, endMinute: 6 * 60, watts: 70_000 }])
  t.equal(budgetAt(site, at('2027-07-02T21:59:00+02:00')), 50_000)
  t.equal(budgetAt(site, at('2027-07-02T22:00:00+02:00')), 70_000, 'Friday evening')
  t.equal(budgetAt(site, at('2027-07-03T05:59:00+02:00')), 70_000, 'Saturday morning')
  t.equal(budgetAt(site, at('2027-07-03T06:00:00+02:00')), 50_000)
  t.equal(budgetAt(site, at('2027-07-03T22:00:00+02:00')), 50_000, 'Saturday evening')
  t.end()
})

test('budget - the clocks change', (t) => {
  const night = terms([{ startMinute: 2 * 60, endMinute: 3 * 60, watts: 10_000 }])
  // 2027-03-28, 02:00 becomes 03:00: the hour does not come.
  const spring = at('2027-03-28T00:00:00+01:00')
  t.equal(minutesWith(night, spring, 23, 10_000), 0, 'a skipped hour never holds')
  // 2027-10-31, 03:00 becomes 02:00: the hour comes twice.
  const autumn = at('2027-10-31T00:00:00+02:00')
  t.equal(minutesWith(night, autumn, 25, 10_000), 120, 'a repeated hour holds twice')
  const across = terms([{ startMinute: 60, endMinute: 4 * 60, watts: 10_000 }])
  t.equal(minutesWith(across, spring, 23, 10_000), 120)
  t.equal(minutesWith(across, autumn, 25, 10_000), 240)
  t.end()
})

function minutesWith(site: BudgetTerms, from: number, hours: number, watts: number): number {
  const minutes = Array.from({ length: hours * 60 }, (_, minute) => from + minute * minuteMs)
  return minutes.filter((minute) => budgetAt(site, minute) === watts).length
}

test('budget - the grid holds no more than it holds, and assets give besides', (t) => {
  t.equal(budgetAt(terms([], { watts: 90_000 }), 0), 80_000)
  t.equal(budgetAt(terms([], { watts: 90_000, assetWatts: 15_000 }), 0), 95_000)
  t.equal(budgetAt(terms([], { watts: 0, assetWatts: 15_000 }), 0), 15_000)
  t.end()
})

test('budget - entries that overlap: the least counts', (t) => {
  const site = terms([evening, { startMinute: 0, endMinute: 0, watts: 30_000 }])
  t.equal(budgetAt(site, at('2027-07-01T18:00:00+02:00')), 20_000)
  t.equal(budgetAt(site, at('2027-07-01T12:00:00+02:00')), 30_000, 'from 00:00 to 00:00 is the whole day')
  t.equal(leastBudget(site), 20_000)
  t.equal(
    leastBudget(terms([{ startMinute: 0, endMinute: 0, watts: 60_000 }])),
    60_000,
    'what never holds does not count',
  )
  t.end()
})

test('budget - what comes is seen before it comes', (t) => {
  const site = terms([evening])
  const before = at('2027-07-01T16:58:30+02:00')
  t.equal(leastWithin(site, before, minuteMs), 50_000)
  t.equal(leastWithin(site, before, 2 * minuteMs), 20_000)
  t.equal(nextFall(site, before, hourMs), at('2027-07-01T17:00:00+02:00'))
  t.equal(nextFall(site, at('2027-07-01T17:00:00+02:00'), hourMs), undefined, 'it has fallen already')
  t.end()
})

const minute = fc.integer({ min: 0, max: 1_439 })
const schedules = fc.array(
  fc.record(
    {
      days: fc.subarray([...daysOfWeek], { minLength: 1 }),
      startMinute: minute,
      endMinute: minute,
      watts: fc.integer({ min: 0, max: 100_000 }),
    },
    { requiredKeys: ['startMinute', 'endMinute', 'watts'] },
  ),
  { maxLength: 4 },
)
const zones = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC')

test('budget - the least of a while is never more than any instant of it, and the least of all never more than that', (t) => {
  const instants = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2029-01-01T00:00:00Z') })
  fc.assert(
    fc.property(
      schedules,
      zones,
      instants,
      fc.integer({ min: 0, max: hourMs }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (schedule, timeZone, from, forMs, part) => {
        const site = terms(schedule, { timeZone })
        const least = leastWithin(site, from, forMs)
        const fall = nextFall(site, from, forMs)
        const within = from + Math.floor(part * forMs)
        const isFallen = budgetAt(site, within) < budgetAt(site, from)
        return (
          leastBudget(site) <= least &&
          least <= budgetAt(site, within) &&
          (!isFallen || (fall !== undefined && fall <= within))
        )
      },
    ),
    { numRuns: 1_000 },
  )
  t.end()
})
