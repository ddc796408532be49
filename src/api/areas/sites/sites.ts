// Sites as callers send and see them.

import { Type } from 'typebox'
import { chargePointsTable } from '../../../records/charge-point.js'
import type { Site } from '../../../records/site.js'
import { line } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Showing } from '../../pipeline/record-routes.js'
import { named, nameText, nullable, timestamp } from '../../pipeline/schemas.js'
import { timezoneName } from '../../pipeline/timezone.js'

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

export function siteView(site: Site, { view }: Pick<Showing, 'view'>) {
  const { organization_id, version, ...shown } = site
  return {
    ...shown,
    time_zone: site.time_zone ?? null,
    default_tariff_id: site.default_tariff_id ?? null,
    charger_count: chargerCount(view, site),
  }
}
