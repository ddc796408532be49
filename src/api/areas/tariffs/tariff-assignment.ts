// Which tariff a charge point sells at, and what a session that starts there now would be charged.

import { type Static, Type } from 'typebox'
import { selectRates } from '../../../pricing/select-rates.js'
import { snapshotOf } from '../../../pricing/tariff-snapshot.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import { defaultTimeZone } from '../../../records/organization.js'
import { defaultTariff, type SellingTariff, sellingTariff, tariffSources } from '../../../records/selling-tariff.js'
import { type TariffAssignment, tariffAssignmentsTable } from '../../../records/tariff.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../../records/tariff-rates.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow, removeRow, unchanged } from '../../pipeline/changes.js'
import { defineRoute } from '../../pipeline/route.js'
import { chargePointParams, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import { ownChargePoint } from '../charge-points/charge-points.js'
import { componentSchema, ownTariff, tariffPresent, tariffSchema, tariffView, useOf } from './tariffs.js'

const tags = ['Tariffs'] as const

const assignmentSchema = named('TariffAssignment', {
  charge_point_id: Type.String(),
  tariff_id: nullable(Type.String()),
  assigned_at: nullable(timestamp()),
  source: nullable(
    Type.Enum([...tariffSources], {
      description: "organization: the charge point has no tariff of its own and sells at the organization's default",
    }),
  ),
})

/** Throws `not_found`, also for a charge point that sells at nothing. */
function tariffOf(view: ReadView, principal: Principal, chargePointId: string): SellingTariff {
  const { charge_point_id, organization_id } = ownChargePoint(view, principal, chargePointId)
  const selling = sellingTariff(view, organization_id, charge_point_id)
  if (selling !== undefined) return selling
  throw notFound('this charge point has no tariff', { chargePointId: charge_point_id })
}

const getAssignment = defineRoute({
  method: 'GET',
  path: '/api/v1/chargepoints/{charge_point_id}/tariff',
  operationId: 'getChargePointTariff',
  summary: 'Read the tariff of a charge point',
  description:
    'Its own, or else the default of the organization. 404 where there is neither: sessions there cost nothing.',
  tags,
  surface: operator,
  scopes: ['read:billing'],
  params: chargePointParams,
  responses: { 200: Type.Object({ ...assignmentSchema.properties, tariff: tariffSchema }) },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const { charge_point_id } = params
    const { tariff, source, assignment } = tariffOf(services.view(), principal, charge_point_id)
    const assigned_at = assignment?.assigned_at ?? null
    const { tariff_id } = tariff
    return { status: 200, body: { charge_point_id, tariff_id, assigned_at, source, tariff: tariffView(tariff) } }
  },
})

const assignTariff = defineRoute({
  method: 'PUT',
  path: '/api/v1/chargepoints/{charge_point_id}/tariff',
  operationId: 'assignChargePointTariff',
  summary: 'Assign a tariff to a charge point',
  description:
    'For sessions that start from now on. null takes the tariff away: then the default of the organization applies, and the answer names it. The assignment goes with the charge point when that is removed.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: chargePointParams,
  body: Type.Object({ tariff_id: nullable(Type.String({ minLength: 1, maxLength: 64 })) }),
  responses: { 200: assignmentSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: { assign: { tariff_id: 'trf_01JD3Z5W4Q8Y7V6T5S4R3P2N1M' }, remove: { tariff_id: null } },
  handle({ principal, params, body }, services) {
    const view = services.view()
    const chargePoint = ownChargePoint(view, principal, params.charge_point_id)
    const { charge_point_id, organization_id } = chargePoint
    const key = [charge_point_id]
    const before = view.get(tariffAssignmentsTable, key)
    const asRead = [
      { condition: unchanged(chargePointsTable, key, chargePoint) },
      { condition: unchanged(tariffAssignmentsTable, key, before) },
    ]
    const fallback = defaultTariff(view, organization_id)
    if (body.tariff_id === null)
      return {
        status: 200,
        body: {
          charge_point_id,
          tariff_id: fallback?.tariff_id ?? null,
          assigned_at: null,
          source: fallback === undefined ? null : ('organization' as const),
        },
        changes: before === undefined ? [] : [removeRow(tariffAssignmentsTable, key)],
        conditions: asRead,
      }
    const tariff = ownTariff(view, principal, body.tariff_id)
    const { tariff_id } = tariff
    const row: TariffAssignment = {
      charge_point_id,
      organization_id,
      version: (before?.version ?? 0) + 1,
      tariff_id,
      assigned_at: formatTimestamp(services.clock.now()),
    }
    return {
      status: 200,
      body: { charge_point_id, tariff_id, assigned_at: row.assigned_at, source: 'charge_point' as const },
      changes: [putRow(tariffAssignmentsTable, row), useOf(tariff, services)],
      conditions: [tariffPresent(tariff), ...asRead],
    }
  },
})

const rateSchema = named('CurrentRate', {
  charge_point_id: Type.String(),
  tariff_id: Type.String(),
  band: nullable(Type.String({ description: "null: the tariff's own components" })),
  components: Type.Array(componentSchema, { description: 'with the defaults of the system filled in' }),
  currency: Type.String(),
  tax_percentage: Type.Number(),
  timezone: Type.String(),
  evaluated_at: timestamp(),
})

const currentRate = defineRoute({
  method: 'GET',
  path: '/api/v1/tariffs/chargers/{charge_point_id}/current-rate',
  operationId: 'getCurrentRate',
  summary: 'Read what a session that starts now would be charged',
  tags,
  surface: operator,
  scopes: ['read:billing'],
  params: chargePointParams,
  responses: { 200: rateSchema },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const { tariff } = tariffOf(view, principal, params.charge_point_id)
    const key = [tariff.tariff_id]
    const bands = view.get(tariffRatesTable, key)?.bands ?? []
    const entries = view.get(tariffSchedulesTable, key)?.entries ?? []
    const timezone = principal.organization.time_zone ?? defaultTimeZone
    const now = services.clock.now()
    const snapshot = snapshotOf(tariff, selectRates(tariff, bands, entries, now, timezone), timezone)
    const body: Static<typeof rateSchema> = {
      charge_point_id: params.charge_point_id,
      tariff_id: tariff.tariff_id,
      band: snapshot.band,
      components: snapshot.components.map(({ grace_minutes, ...component }) => ({
        ...component,
        grace_minutes: component.type === 'idle' ? grace_minutes : null,
      })),
      currency: snapshot.currency,
      tax_percentage: snapshot.tax_percentage,
      timezone,
      evaluated_at: formatTimestamp(now),
    }
    return { status: 200, body }
  },
})

export const tariffAssignmentRoutes = [getAssignment, assignTariff, currentRate]
