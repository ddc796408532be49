// Sites as callers send and see them.

import { Type } from 'typebox'
import { budgetAt } from '../../../power/budget.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import { energyAssetsTable } from '../../../records/energy-asset.js'
import { defaultTimeZone, organizationsTable } from '../../../records/organization.js'
import type { Site } from '../../../records/site.js'
import { budgetTerms, siteConfigurationsTable } from '../../../records/site-configuration.js'
import { line } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Showing } from '../../pipeline/record-routes.js'
import { named, nameText, nullable, timestamp } from '../../pipeline/schemas.js'
import { timezoneName } from '../../pipeline/timezone.js'
import { assetsOf } from './energy-assets.js'

const defaultTariff =
  'The tariff of charge points of the site that have no tariff of their own. null means that of the organization.'
const gridPower = 'The power that the grid connection of the site can carry.'

export const siteFields = {
  name: nameText(),
  address: Type.String({ maxLength: 500, ...line }),
  max_grid_power_kw: Type.Number({
    exclusiveMinimum: 0,
    maximum: 100_000,
    description: gridPower,
  }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  time_zone: nullable(timezoneName()),
  default_tariff_id: nullable(Type.String({ minLength: 1, maxLength: 64, description: defaultTariff })),
}

const timeZone = "The time zone of the site's schedules. null means that of the organization."

export const budget =
  'The power that the charge points may draw together now: from the grid as configured, and from the energy assets. null for a site ' +
  'without a configuration, which is not managed.'

export const siteSchema = named('Site', {
  site_id: Type.String(),
  name: Type.String(),
  address: Type.String(),
  max_grid_power_kw: Type.Number({ description: gridPower }),
  latitude: Type.Number(),
  longitude: Type.Number(),
  time_zone: nullable(Type.String({ description: timeZone })),
  default_tariff_id: nullable(Type.String({ description: defaultTariff })),
  charger_count: Type.Integer({ minimum: 0, description: 'The number of charge points that are linked to the site.' }),
  is_managed: Type.Boolean({ description: 'Whether the site has a configuration of smart charging.' }),
  budget_kw: nullable(Type.Number({ description: budget })),
  created_at: timestamp(),
  updated_at: timestamp(),
})

/** The list of its charge points. */
export function chargePointsOf({ organization_id, site_id }: Pick<Site, 'organization_id' | 'site_id'>) {
  return { index: 'bySite', group: [organization_id, site_id] } as const
}

export function chargerCount(view: ReadView, site: Site): number {
  const { index, group } = chargePointsOf(site)
  return view.total(chargePointsTable, index, group)
}

/** null for a site that is not managed. It costs its energy assets. */
export function budgetKw(site: Site, { view, now }: Pick<Showing, 'view' | 'now'>): number | null {
  const configuration = view.get(siteConfigurationsTable, [site.site_id])
  if (configuration === undefined) return null
  const { index, group } = assetsOf(site)
  const assets = view.listBy(energyAssetsTable, index, group)
  const zone = view.get(organizationsTable, [site.organization_id])?.time_zone ?? defaultTimeZone
  return budgetAt(budgetTerms(configuration, site, assets, zone), now) / 1_000
}

export function siteView(site: Site, showing: Pick<Showing, 'view' | 'now'>) {
  const budget_kw = budgetKw(site, showing)
  const { organization_id, version, ...shown } = site
  return {
    ...shown,
    time_zone: site.time_zone ?? null,
    default_tariff_id: site.default_tariff_id ?? null,
    charger_count: chargerCount(showing.view, site),
    is_managed: budget_kw !== null,
    budget_kw,
  }
}
