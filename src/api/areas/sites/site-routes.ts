// Sites themselves: created, listed, read, updated and deleted.

import { Type } from 'typebox'
import { chargePointsTable } from '../../../records/charge-point.js'
import { energyAssetsTable } from '../../../records/energy-asset.js'
import { ocpiPlacesTable } from '../../../records/ocpi-place.js'
import { type Site, sitesTable } from '../../../records/site.js'
import { siteConfigurationsTable } from '../../../records/site-configuration.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import { kept } from '../../pipeline/kept.js'
import type { Tenant } from '../../pipeline/owned.js'
import { type List, offsetQuery, readFilteredPage, readLongPage } from '../../pipeline/paging.js'
import { recordRoutes, showingOf } from '../../pipeline/record-routes.js'
import { named } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { canonicalTimezone, timezoneFaults } from '../../pipeline/timezone.js'
import { announcePlace } from '../charge-points/announce-place.js'
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
  const { default_tariff_id: id } = chosen
  if (typeof id === 'string' && tariffs.find(draft, principal, id) === undefined) {
    const message = 'there is no such tariff'
    throw notFound(message, { details: [{ path: '/default_tariff_id', message }] })
  }
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
      time_zone: canonicalTimezone(body.time_zone) ?? undefined,
      default_tariff_id: body.default_tariff_id ?? undefined,
      created_at: now,
      updated_at: now,
    })
    return siteView(row, { view: draft.view, now: services.clock.now() })
  },
})

const listSites = area.list('', {
  operationId: 'listSites',
  summary: 'List sites',
  filters: {
    ...offsetQuery,
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A part of the id, the name or the address, in upper or lower case.',
      }),
    ),
  },
  name: 'sites',
  row: siteSchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const showing = showingOf(services)
    const { view } = showing
    const { organization_id } = principal.organization
    const list: List = { index: 'byOrganization', group: [organization_id] }
    const wanted = query.q?.toLowerCase()
    const options = { view, begin: services.longReads.of(organization_id), table: sitesTable, list, query }
    const keep = ({ site_id, name, address }: Site): boolean =>
      [site_id, name, address].some((text) => text.toLowerCase().includes(wanted ?? ''))
    const { rows, total } = await (wanted === undefined
      ? readLongPage(options)
      : readFilteredPage({ ...options, keep }))
    return { rows: rows.map((row) => siteView(row, showing)), total }
  },
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
      time_zone: kept(before.time_zone, canonicalTimezone(body.time_zone)),
      default_tariff_id: kept(before.default_tariff_id, body.default_tariff_id),
      updated_at: formatTimestamp(services.clock.now()),
    })
    announceSite(draft, row.site_id)
    announcePlace(draft, row.organization_id, { kind: 'site', id: row.site_id }, `site-${row.version}`, services)
    return siteView(row, { view: draft.view, now: services.clock.now() })
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
    draft.clear(ocpiPlacesTable, ['site', site.site_id])
    announceSite(draft, site.site_id)
    announcePlace(draft, site.organization_id, { kind: 'site', id: site.site_id }, `removal-${site.version}`, services)
  },
})

export const siteRoutes = [createSite, listSites, getSite, updateSite, deleteSite]
