// What a site, a charge point of it, or the whole fleet was given and drew: the past in buckets, as its actor has stored it.

import { type Static, Type } from 'typebox'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Answer } from '../../pipeline/route.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { area as chargePointArea, chargePoints } from '../charge-points/area.js'
import { sites } from '../sites/area.js'
import { area } from './area.js'
import { historyText } from './history-text.js'
import { limits } from './limits.js'
import { periodFields, periodOf, storedRollUps } from './period.js'

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

const getSiteHistory = area.route({
  method: 'GET',
  path: '/{site_id}/allocation/history',
  operationId: 'getPowerHistory',
  summary: 'Get how the power of a site was shared',
  of: sites,
  query: historyQuery,
  responses: { 200: siteHistorySchema },
  sheddable: 'list',
  handle: ({ row: { organization_id, site_id }, query }, services) =>
    historyOf(services.view(), { organizationId: organization_id, subjectId: site_id, about: { site_id } }, query),
})

const getChargePointHistory = chargePointArea.route({
  method: 'GET',
  path: '/chargepoints/{charge_point_id}/power',
  operationId: 'getChargePointPower',
  summary: 'Get what a charge point of a managed site was given and drew',
  description: 'Also for the time in which it was in other sites of the organization.',
  of: chargePoints,
  query: historyQuery,
  responses: { 200: chargePointHistorySchema },
  sheddable: 'list',
  handle({ row: { organization_id, charge_point_id }, query }, services) {
    const subject = { organizationId: organization_id, subjectId: charge_point_id, about: { charge_point_id } }
    return historyOf(services.view(), { ...subject, hasBudget: false }, query)
  },
})

const getFleetHistory = chargePointArea.route({
  method: 'GET',
  path: '/cpo/fleet/power',
  operationId: 'getFleetPower',
  summary: 'Get what all managed sites were given and drew together',
  description:
    'The sum of the sites of the organization, minute by minute, of which larger buckets are the mean: a site without cars counts for nothing. It is about four minutes behind.',
  query: historyQuery,
  responses: { 200: fleetHistorySchema },
  sheddable: 'list',
  handle({ principal, query }, services) {
    const { organization_id } = principal.organization
    return historyOf(services.view(), { organizationId: organization_id, subjectId: organization_id, about: {} }, query)
  },
})

interface Subject {
  readonly organizationId: string
  readonly subjectId: string
  readonly about: Readonly<Record<string, string>>
  readonly hasBudget?: boolean
}

/** Throws `validation_error`. */
function historyOf(
  view: ReadView,
  { organizationId, subjectId, about, hasBudget = true }: Subject,
  query: Static<typeof historyQuery>,
): Answer {
  const period = periodOf(query, limits.historyPoints, 'end')
  const rows = storedRollUps(view, organizationId, subjectId, period)
  const body = historyText({ about, period, rows, hasBudget })
  return { status: 200, body, contentType: 'application/json; charset=utf-8' }
}

export const historyRoutes = [getSiteHistory, getChargePointHistory, getFleetHistory]
