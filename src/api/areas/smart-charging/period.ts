// A period of the past in buckets, as requests ask for it, and what is stored of it.

import { type Static, Type } from 'typebox'
import {
  bucketsBetween,
  type PowerBucket,
  type PowerRollUp,
  powerRollUpsTable,
  rollUpStart,
  rollUps,
} from '../../../records/power-roll-up.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { parseTimestamp } from '../../pipeline/timestamp.js'

const minutesOf = { '1min': 1, '5min': 5, '15min': 15, '1hour': 60 } as const
type BucketName = keyof typeof minutesOf
const minuteMs = 60_000

export const periodFields = {
  start: timestamp('The first bucket is the one that this time is in.'),
  end: timestamp('Buckets that begin before this time are shown.'),
  bucket: Type.Optional(
    Type.Enum(['1min', '5min', '15min', '1hour'], {
      default: '15min',
      description: 'Kept for 7 days, 30 days, 400 days and 5 years.',
    }),
  ),
}

const periodSchema = Type.Object(periodFields)

export interface Period {
  readonly bucket: BucketName
  readonly minutes: number
  /** Wall ms. */
  readonly start: number
  readonly end: number
  readonly buckets: number
}

/** `path`: of the end of the period in the request. Throws `validation_error`. */
export function periodOf(asked: Static<typeof periodSchema>, most: number, path: string): Period {
  const bucket = (asked.bucket ?? '15min') as BucketName
  const minutes = minutesOf[bucket]
  const bucketMs = minutes * minuteMs
  const start = Math.floor((parseTimestamp(asked.start) ?? 0) / bucketMs) * bucketMs
  const end = parseTimestamp(asked.end) ?? 0
  if (end <= start) throw invalid([{ path, message: 'must be after start' }])
  const buckets = Math.ceil((end - start) / bucketMs)
  if (buckets > most) {
    const message = `is too far from start: the period has ${buckets} buckets, and an answer at most ${most}. Ask for a shorter period or larger buckets`
    throw invalid([{ path, message }])
  }
  return { bucket, minutes, start, end, buckets }
}

/** The rows of the period, each with many buckets. */
export function storedRollUps(
  view: ReadView,
  organizationId: string,
  subjectId: string,
  { minutes, start, end }: Period,
): readonly PowerRollUp[] {
  const rollUp = rollUps.find((one) => one.minutes === minutes)
  const from = [rollUp === undefined ? start : rollUpStart(rollUp, start)]
  return view.list(powerRollUpsTable, [organizationId, subjectId, minutes], { from, to: [end] })
}

/** `siteId`: only what was in this site. */
export function storedBuckets(
  view: ReadView,
  organizationId: string,
  subjectId: string,
  period: Period,
  siteId?: string,
): readonly PowerBucket[] {
  const { start, end } = period
  const rows = storedRollUps(view, organizationId, subjectId, period)
  return bucketsBetween(siteId === undefined ? rows : rows.filter(({ site_id }) => site_id === siteId), start, end)
}
