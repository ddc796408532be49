// What a site, or one of its charge points, was given and drew: means over buckets of 1, 5, 15 and 60 minutes of UTC, many buckets in a row, so
// that a year is a few hundred rows. Written by the site's actor alone.

import { defineTable } from '../runtime/store/table.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How many minutes a bucket has, how much time is in one row, and how long it is kept. */
export const rollUps = [
  { minutes: 1, rowMs: hourMs, keptMs: 7 * dayMs },
  { minutes: 5, rowMs: 6 * hourMs, keptMs: 30 * dayMs },
  { minutes: 15, rowMs: dayMs, keptMs: 400 * dayMs },
  { minutes: 60, rowMs: dayMs, keptMs: 5 * 365 * dayMs },
] as const

export type RollUp = (typeof rollUps)[number]

/** Numbers of one bucket in `values`: observed ms (0 for a bucket of which nothing is known), the means of budget, allocation and draw in watts, and the most cars at once. */
export const valuesOfBucket = 5

export interface PowerRollUp {
  readonly organization_id: string
  /** The id of a site or of a charge point. */
  readonly subject_id: string
  readonly minutes: number
  /** Wall ms, of the first bucket. */
  readonly starts_at: number
  /** Wall ms. */
  readonly kept_until: number
  readonly values: readonly number[]
}

export const powerRollUpsTable = defineTable<PowerRollUp>({
  name: 'power_roll_ups',
  key: (row) => [row.organization_id, row.subject_id, row.minutes, row.starts_at],
  indexes: { byEnd: (row) => [{ group: [], order: [row.kept_until] }] },
  uncounted: ['byEnd'],
  retention: { timeOf: (row) => row.kept_until, index: 'byEnd', milliseconds: 0 },
})
