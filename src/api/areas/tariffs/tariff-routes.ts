// Tariffs themselves: listed, read, created, replaced and removed.

import { Type } from 'typebox'
import { organizationsTable } from '../../../records/organization.js'
import { sitesTable } from '../../../records/site.js'
import { tariffAssignmentsTable } from '../../../records/tariff.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../../records/tariff-rates.js'
import { conflict } from '../../../runtime/errors.js'
import { recordRoutes } from '../../pipeline/record-routes.js'
import { announcePrices } from '../charge-points/announce-place.js'
import { area, tariffs } from './area.js'
import { tariffInUse } from './errors.js'
import { limits } from './limits.js'
import { currencyCode, storedTariff, tariffBody, tariffFaults, tariffSchema, tariffView } from './tariffs.js'

const routes = recordRoutes(area, tariffs, { path: '/billing/tariffs', schema: tariffSchema, show: tariffView })

const example = {
  name: 'Public charging',
  currency: 'EUR',
  tax_percentage: 20,
  components: [
    { type: 'energy', price: 0.49 },
    { type: 'idle', price: 6, grace_minutes: 30 },
  ],
}

const createTariff = routes.create({
  operationId: 'createTariff',
  summary: 'Create a tariff',
  description:
    'Prices are before tax. If you leave out a value of a component, or set it to null, the default that the component documents applies.',
  body: tariffBody,
  examples: { energyAndIdleTime: example },
  check: tariffFaults,
  room: {
    index: 'byOrganization',
    most: limits.tariffs,
    otherwise: () =>
      conflict(
        `an organization has at most ${limits.tariffs} tariffs: delete one that no charge point uses before you create another`,
      ),
  },
  fields: storedTariff,
})

const listTariffs = routes.list({
  operationId: 'listTariffs',
  summary: 'List tariffs, newest first',
  filters: { currency: Type.Optional(currencyCode()) },
  indexes: { currency: 'byCurrency' },
  newestFirst: true,
})

const getTariff = routes.get({ operationId: 'getTariff', summary: 'Get a tariff' })

const replaceTariff = routes.replace({
  operationId: 'replaceTariff',
  summary: 'Replace a tariff',
  description:
    'Replaces every field; the tax percentage is 0 if you leave it out. Sessions that have already started keep the prices of their start.',
  body: tariffBody,
  examples: { dearer: { ...example, components: [{ type: 'energy', price: 0.55 }] } },
  check: tariffFaults,
  fields: storedTariff,
  along: (row, draft, services) => announcePrices(draft, row.organization_id, services),
})

const deleteTariff = routes.remove({
  operationId: 'deleteTariff',
  summary: 'Delete a tariff with its rates and its schedule',
  description:
    'A tariff cannot be deleted while a charge point uses it, or while it is the default of a site or of the organization. Sessions that have already started are billed by their own copy.',
  errors: [tariffInUse],
  along({ tariff_id, organization_id }, draft) {
    if (draft.get(organizationsTable, [organization_id])?.default_tariff_id === tariff_id)
      throw tariffInUse("the tariff is the organization's default; set another default_tariff_id first, or null")
    const assigned = { index: 'byTariff', group: [organization_id, tariff_id] }
    const inUse = tariffInUse(
      'the tariff is assigned to at least one charge point; assign another tariff there first (PUT /api/v1/chargepoints/{charge_point_id}/tariff), or null',
    )
    draft.requireNone(tariffAssignmentsTable, assigned, inUse)
    const ofSite = tariffInUse(
      'the tariff is the default of at least one site; set another default_tariff_id there first, or null',
    )
    draft.requireNone(sitesTable, assigned, ofSite)
    draft.clear(tariffRatesTable, [tariff_id])
    draft.clear(tariffSchedulesTable, [tariff_id])
  },
})

export const tariffRoutes = [createTariff, listTariffs, getTariff, replaceTariff, deleteTariff]
