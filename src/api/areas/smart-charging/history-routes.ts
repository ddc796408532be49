// What a site, a charge point of it, or the whole fleet was given and drew: the past in buckets, as its actor has stored it.

import { type Static, Type } from 'typebox'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area as chargePointArea, chargePoints } from '../charge-points/area.js'
import { sites } from '../sites/area.js'
import { area } from './area.js'
import { limits } from './limits.js'
import { periodFields, periodOf, storedBuckets } from './period.js'

const historyQuery = Type.Object(periodFields)

const drawn = {
  timestamp: timestamp('When the bucket begins.'),
  allocated_kw: Type.Number({ description: 'The mean of the sum of the limits.' }),
  drawn_kw: Type.Number({ description: 'The mean of what was metered.' }),
  active_chargers: Type.Integer({ description: 'The most connectors that charged at once.' }),
}

const budgeted = { ...drawn, budget_kw: Type.Number({ description: 'The mean of the budget.' }) }

const siteHistorySchema = named('PowerHistory', {
  site_id: Type.String(),
  bucket: Type.String(),
  points: Type.Array(Type.Object(budgeted), {
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

const fleetHistorySchema = named('FleetPowerHistory', {
  bucket: Type.String(),
  points: Type.Array(Type.Object(budgeted), {
    description: 'A bucket in which no car charged at any managed site, or of which nothing is known, has no point.',
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
  description: 'Also for the time in which it was in other sites of the organization.',
  of: chargePoints,
  query: historyQuery,
  answer: chargePointHistorySchema,
  sheddable: 'list',
  read({ row: { organization_id, charge_point_id }, query }, services) {
    const { bucket, points } = historyOf(services.view(), organization_id, charge_point_id, query)
    return { charge_point_id, bucket, points: points.map(({ budget_kw: _, ...point }) => point) }
  },
})

const getFleetHistory = chargePointArea.get('/cpo/fleet/power', {
  operationId: 'getFleetPower',
  summary: 'Get what all managed sites were given and drew together',
  description:
    'The sum of the sites of the organization, minute by minute, of which larger buckets are the mean: a site without cars counts for nothing. It is about four minutes behind.',
  query: historyQuery,
  answer: fleetHistorySchema,
  sheddable: 'list',
  read({ principal, query }, services) {
    const { organization_id } = principal.organization
    return historyOf(services.view(), organization_id, organization_id, query)
  },
})

const kw = (watts: number): number => Math.round(watts) / 1000

/** Throws `validation_error`. */
function historyOf(view: ReadView, organizationId: string, subjectId: string, query: Static<typeof historyQuery>) {
  const period = periodOf(query, limits.historyPoints, '/end')
  const points = storedBuckets(view, organizationId, subjectId, period).map((bucket) => ({
    timestamp: formatTimestamp(bucket.at),
    budget_kw: kw(bucket.budgetWatts),
    allocated_kw: kw(bucket.allocatedWatts),
    drawn_kw: kw(bucket.drawnWatts),
    active_chargers: bucket.active,
  }))
  return { bucket: period.bucket, points }
}

export const historyRoutes = [getSiteHistory, getChargePointHistory, getFleetHistory]
