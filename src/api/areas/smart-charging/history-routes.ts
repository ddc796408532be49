// What a site, or a charge point of it, was given and drew: the past in buckets, as the site's actor has stored it.

import { type Static, Type } from 'typebox'
import { type PowerRollUp, powerRollUpsTable, rollUps, valuesOfBucket } from '../../../records/power-roll-up.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { area as chargePointArea, chargePoints } from '../charge-points/area.js'
import { sites } from '../sites/area.js'
import { area } from './area.js'
import { limits } from './limits.js'

const minutesOf = { '1min': 1, '5min': 5, '15min': 15, '1hour': 60 } as const
type Bucket = keyof typeof minutesOf
const minuteMs = 60_000

const historyQuery = Type.Object({
  start: timestamp('The first bucket is the one that this time is in.'),
  end: timestamp('Buckets that begin before this time are shown.'),
  bucket: Type.Optional(
    Type.Enum(['1min', '5min', '15min', '1hour'], {
      default: '15min',
      description: 'Kept for 7 days, 30 days, 400 days and 5 years.',
    }),
  ),
})

const drawn = {
  timestamp: timestamp('When the bucket begins.'),
  allocated_kw: Type.Number({ description: 'The mean of the sum of the limits.' }),
  drawn_kw: Type.Number({ description: 'The mean of what was metered.' }),
  active_chargers: Type.Integer({ description: 'The most connectors that charged at once.' }),
}

const siteHistorySchema = named('PowerHistory', {
  site_id: Type.String(),
  bucket: Type.String(),
  points: Type.Array(Type.Object({ ...drawn, budget_kw: Type.Number({ description: 'The mean of the budget.' }) }), {
    description: 'A bucket in which no car charged, or of which nothing is known, has no point.',
  }),
})

const chargePointHistorySchema = named('ChargePointPowerHistory', {
  charge_point_id: Type.String(),
  bucket: Type.String(),
  points: Type.Array(Type.Object(drawn), {
    description: 'A bucket in which no car charged at a managed site, or of which nothing is known, has no point.',
  }),
})

const getSiteHistory = area.get('/{site_id}/allocation/history', {
  operationId: 'getPowerHistory',
  summary: 'Get how the power of a site was shared',
  of: sites,
  query: historyQuery,
  answer: siteHistorySchema,
  sheddable: 'list',
  read: ({ row: { organization_id, site_id }, query }, services) => ({
    site_id,
    ...historyOf(services.view(), organization_id, site_id, query),
  }),
})

const getChargePointHistory = chargePointArea.get('/chargepoints/{charge_point_id}/power', {
  operationId: 'getChargePointPower',
  summary: 'Get what a charge point of a managed site was given and drew',
  of: chargePoints,
  query: historyQuery,
  answer: chargePointHistorySchema,
  sheddable: 'list',
  read({ row: { organization_id, charge_point_id }, query }, services) {
    const { bucket, points } = historyOf(services.view(), organization_id, charge_point_id, query)
    return { charge_point_id, bucket, points: points.map(({ budget_kw: _, ...point }) => point) }
  },
})

/** Throws `validation_error`. */
function historyOf(view: ReadView, organizationId: string, subjectId: string, query: Static<typeof historyQuery>) {
  const bucket = (query.bucket ?? '15min') as Bucket
  const minutes = minutesOf[bucket]
  const bucketMs = minutes * minuteMs
  const start = Math.floor((parseTimestamp(query.start) ?? 0) / bucketMs) * bucketMs
  const end = parseTimestamp(query.end) ?? 0
  if (end <= start) throw invalid([{ path: '/end', message: 'must be after start' }])
  const asked = Math.ceil((end - start) / bucketMs)
  if (asked > limits.historyPoints) {
    const message = `is too far from start: the period has ${asked} buckets, and an answer at most ${limits.historyPoints}. Ask for a shorter period or larger buckets`
    throw invalid([{ path: '/end', message }])
  }
  const rowMs = rollUps.find((rollUp) => rollUp.minutes === minutes)?.rowMs ?? bucketMs
  const from = [Math.floor(start / rowMs) * rowMs]
  const rows = view.list(powerRollUpsTable, [organizationId, subjectId, minutes], { from, to: [end] })
  return { bucket, points: rows.flatMap((row) => pointsOf(row, start, end)) }
}

const kw = (watts: number): number => watts / 1000

function pointsOf({ minutes, starts_at, values }: PowerRollUp, start: number, end: number) {
  const points = []
  for (let slot = 0; slot < values.length; slot += valuesOfBucket) {
    const at = starts_at + (slot / valuesOfBucket) * minutes * minuteMs
    const [observed = 0, budget = 0, allocated = 0, metered = 0, active = 0] = values.slice(slot, slot + valuesOfBucket)
    if (observed === 0 || at < start || at >= end) continue
    points.push({
      timestamp: formatTimestamp(at),
      budget_kw: kw(budget),
      allocated_kw: kw(allocated),
      drawn_kw: kw(metered),
      active_chargers: active,
    })
  }
  return points
}

export const historyRoutes = [getSiteHistory, getChargePointHistory]
