// Sites themselves: created, listed, read, updated and deleted.

import { Type } from 'typebox'
import { chargePointsTable } from '../../../records/charge-point.js'
import { energyAssetsTable } from '../../../records/energy-asset.js'
import { sitesTable } from '../../../records/site.js'
import { siteConfigurationsTable } from '../../../records/site-configuration.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import { kept } from '../../pipeline/kept.js'
import type { Tenant } from '../../pipeline/owned.js'
import { offsetQuery } from '../../pipeline/paging.js'
import { recordRoutes } from '../../pipeline/record-routes.js'
import { named } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { timezoneFaults } from '../../pipeline/timezone.js'
import { announceSite } from '../charge-points/announce-site.js'
import { changeChargePoint } from '../charge-points/change-charge-point.js'
import { tariffs } from '../tariffs/area.js'
import { area, sites } from './area.js'
import { assetsOf } from './energy-assets.js'
import { limits } from './limits.js'
import { chargePointsOf, siteFields as fields, siteSchema, siteView } from './sites.js'

const routes = recordRoutes(area, sites, { schema: siteSchema, show: siteView })

interface Chosen {
  readonly time_zone?: string | null
  readonly default_tariff_id?: string | null
}

/** Throws `validation_error` for a time zone that does not exist, and `not_found` for a tariff that does not. */
function requireChosen(chosen: Chosen, draft: Draft, principal: Tenant): void {
  const faults = timezoneFaults(chosen.time_zone ?? undefined, '/time_zone')
  if (faults.length > 0) throw invalid(faults)
  if (typeof chosen.default_tariff_id === 'string') tariffs.own(draft, principal, chosen.default_tariff_id)
}

const createSite = area.post('', {
  operationId: 'createSite',
  summary: 'Create a site',
  description:
    'A site without a configuration of smart charging is not managed: its charge points charge as they like.',
  body: named('NewSite', {
    ...fields,
    time_zone: Type.Optional(fields.time_zone),
    default_tariff_id: Type.Optional(fields.default_tariff_id),
  }),
  answer: siteSchema,
  status: 201,
  errors: [conflict, notFound],
  examples: {
    carPark: {
      name: 'Station Street car park',
      address: 'Station Street 1, Amsterdam',
      max_grid_power_kw: 50,
      latitude: 52.37,
      longitude: 4.9,
    },
  },
  change({ principal, body }, draft, services) {
    requireChosen(body, draft, principal)
    const { organization_id } = principal.organization
    const tooMany = conflict(
      `an organization has at most ${limits.sites} sites: delete one that is no longer needed before you create another`,
    )
    draft.requireRoom(sitesTable, { index: 'byOrganization', group: [organization_id] }, limits.sites, tooMany)
    const now = formatTimestamp(services.clock.now())
    const row = draft.put(sitesTable, {
      site_id: services.newId('site'),
      organization_id,
      name: body.name,
      address: body.address,
      max_grid_power_kw: body.max_grid_power_kw,
      latitude: body.latitude,
      longitude: body.longitude,
      time_zone: body.time_zone ?? undefined,
      default_tariff_id: body.default_tariff_id ?? undefined,
      created_at: now,
      updated_at: now,
    })
    return siteView(row, draft)
  },
})

const listSites = routes.list({
  operationId: 'listSites',
  summary: 'List sites',
  filters: offsetQuery,
  name: 'sites',
})

const getSite = routes.get({ operationId: 'getSite', summary: 'Get a site' })

const updateSite = area.patch('/{site_id}', {
  operationId: 'updateSite',
  summary: 'Update a site',
  description:
    'Fields that you leave out keep their values. A changed `max_grid_power_kw` counts at once: the power of the site is shared anew, within ' +
    'whichever is less of it and the power of the configuration.',
  of: sites,
  body: Type.Partial(Type.Object(fields)),
  answer: siteSchema,
  examples: { largerConnection: { max_grid_power_kw: 80 } },
  change({ row: before, principal, body }, draft, services) {
    requireChosen(body, draft, principal)
    const row = draft.put(sitesTable, {
      ...before,
      name: body.name ?? before.name,
      address: body.address ?? before.address,
      max_grid_power_kw: body.max_grid_power_kw ?? before.max_grid_power_kw,
      latitude: body.latitude ?? before.latitude,
      longitude: body.longitude ?? before.longitude,
      time_zone: kept(before.time_zone, body.time_zone),
      default_tariff_id: kept(before.default_tariff_id, body.default_tariff_id),
      updated_at: formatTimestamp(services.clock.now()),
    })
    announceSite(draft, row.site_id)
    return siteView(row, draft)
  },
})

const deleteSite = routes.remove({
  operationId: 'deleteSite',
  summary: 'Delete a site with its energy assets and its configuration',
  description:
    'Its charge points are unlinked, and charge without the limits of the site from then on. Sessions that have started keep its `site_id`.',
  along(site, draft, services) {
    for (const chargePoint of draft.list(chargePointsTable, chargePointsOf(site)))
      changeChargePoint(draft, chargePoint, { site_id: undefined }, services)
    for (const asset of draft.list(energyAssetsTable, assetsOf(site)))
      draft.remove(energyAssetsTable, energyAssetsTable.key(asset))
    draft.clear(siteConfigurationsTable, [site.site_id])
    announceSite(draft, site.site_id)
  },
})

export const siteRoutes = [createSite, listSites, getSite, updateSite, deleteSite]
