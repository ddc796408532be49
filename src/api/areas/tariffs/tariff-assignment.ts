// Which tariff a charge point sells at, and what a session that starts there now would be charged.

import { type Static, Type } from 'typebox'
import { placeOf } from '../../../ocpi/location/read-place.js'
import { selectRates } from '../../../pricing/select-rates.js'
import { snapshotOf } from '../../../pricing/tariff-snapshot.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { defaultTimeZone } from '../../../records/organization.js'
import { inheritedTariff, type SellingTariff, sellingTariff, tariffSources } from '../../../records/selling-tariff.js'
import { tariffAssignmentsTable } from '../../../records/tariff.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../../records/tariff-rates.js'
import { notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { announcePlace } from '../charge-points/announce-place.js'
import { chargePoints } from '../charge-points/area.js'
import { area, tariffs } from './area.js'
import { componentSchema, tariffSchema, tariffView } from './tariffs.js'

const assignmentSchema = named('TariffAssignment', {
  charge_point_id: Type.String(),
  tariff_id: nullable(Type.String()),
  assigned_at: nullable(timestamp()),
  source: nullable(
    Type.Enum([...tariffSources], {
      description:
        '`site` and `organization` mean that the charge point has no tariff of its own and uses the default of its site or of the organization.',
    }),
  ),
})

/** Throws `not_found`, also for a charge point that sells at nothing. */
function tariffOf(view: ReadView, { charge_point_id, organization_id }: ChargePoint): SellingTariff {
  const selling = sellingTariff(view, organization_id, charge_point_id)
  if (selling !== undefined) return selling
  throw notFound('this charge point has no tariff', { chargePointId: charge_point_id })
}

const getAssignment = area.get('/chargepoints/{charge_point_id}/tariff', {
  operationId: 'getChargePointTariff',
  summary: 'Get the tariff of a charge point',
  description:
    "Returns the charge point's own tariff, or else the default of its site, or else that of the organization. If there is none, returns 404: sessions there are free.",
  of: chargePoints,
  answer: Type.Object({ ...assignmentSchema.properties, tariff: tariffSchema }),
  read({ row }, services) {
    const { charge_point_id } = row
    const { tariff, source, assignment } = tariffOf(services.view(), row)
    const assigned_at = assignment?.assigned_at ?? null
    return { charge_point_id, tariff_id: tariff.tariff_id, assigned_at, source, tariff: tariffView(tariff) }
  },
})

const assignTariff = area.put('/chargepoints/{charge_point_id}/tariff', {
  operationId: 'assignChargePointTariff',
  summary: 'Assign a tariff to a charge point',
  description:
    'The tariff applies to sessions that start from now on. null removes the assignment: the default of its site or of the organization then applies, and the ' +
    'answer names it. Deleting the charge point deletes its assignment.',
  of: chargePoints,
  body: Type.Object({ tariff_id: nullable(Type.String({ minLength: 1, maxLength: 64 })) }),
  answer: assignmentSchema,
  examples: { assign: { tariff_id: 'trf_01JD3Z5W4Q8Y7V6T5S4R3P2N1M' }, remove: { tariff_id: null } },
  change({ row, principal, body }, draft, services) {
    const { charge_point_id, organization_id } = row
    const before = draft.get(tariffAssignmentsTable, [charge_point_id])
    announcePlace(draft, organization_id, placeOf(row), `tariff-${services.newId('chg')}`, services)
    if (body.tariff_id === null) {
      if (before !== undefined) draft.remove(tariffAssignmentsTable, [charge_point_id])
      const fallback = inheritedTariff(draft.view, organization_id, charge_point_id)
      return {
        charge_point_id,
        tariff_id: fallback?.tariff.tariff_id ?? null,
        assigned_at: null,
        source: fallback?.source ?? null,
      }
    }
    const { tariff_id } = tariffs.own(draft, principal, body.tariff_id)
    const { assigned_at } = draft.put(tariffAssignmentsTable, {
      charge_point_id,
      organization_id,
      tariff_id,
      assigned_at: formatTimestamp(services.clock.now()),
    })
    return { charge_point_id, tariff_id, assigned_at, source: 'charge_point' }
  },
})

const rateSchema = named('CurrentRate', {
  charge_point_id: Type.String(),
  tariff_id: Type.String(),
  band: nullable(Type.String({ description: "null means that the tariff's own components apply." })),
  components: Type.Array(componentSchema, { description: 'The components with all defaults filled in.' }),
  currency: Type.String(),
  tax_percentage: Type.Number(),
  timezone: Type.String(),
  evaluated_at: timestamp(),
})

const currentRate = area.get('/tariffs/chargers/{charge_point_id}/current-rate', {
  operationId: 'getCurrentRate',
  summary: 'Get the rate of a session that starts now',
  of: chargePoints,
  answer: rateSchema,
  read({ row, principal }, services): Static<typeof rateSchema> {
    const view = services.view()
    const { tariff } = tariffOf(view, row)
    const key = [tariff.tariff_id]
    const bands = view.get(tariffRatesTable, key)?.bands ?? []
    const entries = view.get(tariffSchedulesTable, key)?.entries ?? []
    const timezone = principal.organization.time_zone ?? defaultTimeZone
    const now = services.clock.now()
    const snapshot = snapshotOf(tariff, selectRates(tariff, bands, entries, now, timezone), timezone)
    return {
      charge_point_id: row.charge_point_id,
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
  },
})

export const tariffAssignmentRoutes = [getAssignment, assignTariff, currentRate]
