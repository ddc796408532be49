// What a site, one of its charge points, or the fleet of an organization was given and drew: means over buckets of 1, 5, 15 and 60 minutes of UTC, many
// buckets in a row, so that a year is a few hundred rows. A row has one writer: the actor of its site, or that of the fleet. A charge point that
// is moved has a row of each of its sites, and what is read of it is their sum.

import { type LimitReason, limitReasonNames } from '../power/reasons.js'
import { defineTable } from '../runtime/store/table.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
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
  /** The id of a site, of a charge point, or of the organization, for its fleet. */
  readonly subject_id: string
  /** The site that writes it; empty for the fleet. */
  readonly site_id: string
  readonly minutes: number
  /** Wall ms, of the first bucket. */
  readonly starts_at: number
  /** Wall ms. */
  readonly kept_until: number
  readonly values: readonly number[]
  /** Of a charge point: a letter for each bucket, why it had what it was given last in it. Absent in rows of before it was stored. */
  readonly reasons?: string
}

export const powerRollUpsTable = defineTable<PowerRollUp>({
  name: 'power_roll_ups',
  key: (row) => [row.organization_id, row.subject_id, row.minutes, row.starts_at, row.site_id],
  indexes: { byEnd: (row) => [{ group: [], order: [row.kept_until] }] },
  uncounted: ['byEnd'],
  retention: { timeOf: (row) => row.kept_until, index: 'byEnd', milliseconds: 0 },
})

/** What one has and draws. */
export interface PowerSample {
  readonly budgetWatts: number
  readonly allocatedWatts: number
  readonly drawnWatts: number
  /** Connectors at which a car charges. */
  readonly active: number
  /** Of a charge point: why it has what it is given; of a bucket, why last. */
  readonly reason?: LimitReason
}

/** The means of a bucket, and the most connectors at once. */
export interface PowerBucket extends PowerSample {
  /** When it begins, wall ms. */
  readonly at: number
  /** How much of it is known, ms. */
  readonly observedMs: number
}

/** A row that is being filled. */
export interface OpenRollUp extends PowerRollUp {
  readonly values: number[]
  reasons?: string
}

/** When the row begins that has a time. */
export function rollUpStart({ rowMs }: RollUp, at: number): number {
  return Math.floor(at / rowMs) * rowMs
}

export function emptyRollUp(
  { minutes, rowMs, keptMs }: RollUp,
  about: Pick<PowerRollUp, 'organization_id' | 'subject_id' | 'site_id'>,
  starts_at: number,
): OpenRollUp {
  const values = new Array<number>((rowMs / minutes / minuteMs) * valuesOfBucket).fill(0)
  return { ...about, minutes, starts_at, kept_until: starts_at + rowMs + keptMs, values }
}

function slotOf({ minutes, starts_at }: PowerRollUp, at: number): number {
  return Math.floor((at - starts_at) / minutes / minuteMs) * valuesOfBucket
}

/** Adds to the bucket of a time what was so for a while. */
export function addToRollUp(row: OpenRollUp, at: number, sample: PowerSample, ms: number): void {
  const { values } = row
  const slot = slotOf(row, at)
  const observed = values[slot] as number
  const watts = [sample.budgetWatts, sample.allocatedWatts, sample.drawnWatts]
  watts.forEach((value, index) => {
    const place = slot + 1 + index
    values[place] = ((values[place] as number) * observed + value * ms) / (observed + ms)
  })
  values[slot] = observed + ms
  values[slot + 4] = Math.max(values[slot + 4] as number, sample.active)
  if (sample.reason === undefined) return
  const { reasons = unknownReason.repeat(values.length / valuesOfBucket) } = row
  const bucket = slot / valuesOfBucket
  row.reasons = `${reasons.slice(0, bucket)}${letterOf(sample.reason)}${reasons.slice(bucket + 1)}`
}

const unknownReason = '-'
const firstLetter = 'a'.charCodeAt(0)
const letterOf = (reason: LimitReason): string => String.fromCharCode(firstLetter + limitReasonNames.indexOf(reason))
const reasonOf = (letter: string): LimitReason | undefined => limitReasonNames[letter.charCodeAt(0) - firstLetter]

/** The bucket of a time. */
export function bucketOf(row: PowerRollUp, at: number): PowerBucket {
  return bucketAt(row, slotOf(row, at))
}

function bucketAt({ minutes, starts_at, values, reasons = '' }: PowerRollUp, slot: number): PowerBucket {
  const [observedMs = 0, budgetWatts = 0, allocatedWatts = 0, drawnWatts = 0, active = 0] = values.slice(
    slot,
    slot + valuesOfBucket,
  )
  const at = starts_at + (slot / valuesOfBucket) * minutes * minuteMs
  const reason = reasonOf(reasons.charAt(slot / valuesOfBucket))
  return { at, observedMs, budgetWatts, allocatedWatts, drawnWatts, active, ...(reason !== undefined && { reason }) }
}

/** The rows of one subject in the order of the table, with one for each time: a charge point that was moved has one of each site. */
export function rollUpsOfSubject(rows: readonly PowerRollUp[]): readonly PowerRollUp[] {
  const merged: PowerRollUp[] = []
  for (const row of rows) {
    const last = merged.at(-1)
    if (last?.starts_at === row.starts_at) merged[merged.length - 1] = together(last, row)
    else merged.push(row)
  }
  return merged
}

/** The buckets that are known of a period, from the rows of one subject in the order of the table. */
export function bucketsBetween(rows: readonly PowerRollUp[], start: number, end: number): readonly PowerBucket[] {
  const buckets: PowerBucket[] = []
  for (const row of rollUpsOfSubject(rows))
    for (let slot = 0; slot < row.values.length; slot += valuesOfBucket) {
      const bucket = bucketAt(row, slot)
      if (bucket.observedMs > 0 && bucket.at >= start && bucket.at < end) buckets.push(bucket)
    }
  return buckets
}

/** Of a charge point that was in two sites, one after the other. */
function together(one: PowerRollUp, other: PowerRollUp): PowerRollUp {
  const values = [...one.values]
  let reasons = ''
  for (let slot = 0; slot < values.length; slot += valuesOfBucket) {
    const [ownMs, otherMs] = [one.values[slot] ?? 0, other.values[slot] ?? 0]
    const ms = ownMs + otherMs
    const bucket = slot / valuesOfBucket
    reasons += (otherMs > ownMs ? other : one).reasons?.charAt(bucket) ?? unknownReason
    if (ms === 0) continue
    for (let at = slot + 1; at < slot + 4; at++)
      values[at] = ((one.values[at] ?? 0) * ownMs + (other.values[at] ?? 0) * otherMs) / ms
    values[slot] = Math.min(ms, one.minutes * minuteMs)
    values[slot + 4] = Math.max(one.values[slot + 4] ?? 0, other.values[slot + 4] ?? 0)
  }
  return { ...one, values, reasons }
}
